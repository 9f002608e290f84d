import KeyValueObserving
import Testing

/// Mistakes with proxies stop the process and say why.
@Suite struct ToManyMisuseTests {
  @Test func aWrongElementType() async {
    let array = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "numbers").addObjects(from: [1, "two"])
    }
    #expect(said(#"<(\w+\.)?Library 0x.*the key numbers must be of type Int, but is of type String\. Convert"#, array))
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableSetValue(forKey: "colorSet").add("mauve")
    }
    #expect(said("the key colorSet must be of type Color, but is of type String", set))
    let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableOrderedSetValue(forKey: "numbers").add(NSNull())
    }
    #expect(said("the key numbers must be of type Int, but is of type NSNull", null))
  }

  @Test func aWrongElementTypeChangesNothing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (library, recorder) = (Library(), Recorder())
      recorder.whenCalled = { _, _ in print("notified", to: &standardError) }
      recorder.observe(library, "numbers", .prior)
      library.mutableArrayValue(forKey: "numbers").insert([1, "two"], at: [0, 1])
    }
    #expect(said("Convert it first", result) && !said("notified", result))
  }

  @Test func anIndexBeyondTheEnd() async {
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Library().mutableArrayValue(forKey: "numbers").object(at: 0)
    }
    #expect(said("the index 0 is beyond the 0 objects of the key numbers", reading))
    let inserting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "numbers").insert([1, 2], at: [0, 2])
    }
    #expect(said("the index 2 is beyond the 1 objects of the key numbers", inserting))
    let removing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "array").removeObject(at: -1)
    }
    #expect(said("the index -1 is beyond the 0 objects of the key array", removing))
    let exchanging = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let library = Library()
      library.numbers = [1, 2]
      library.mutableOrderedSetValue(forKey: "numbers").exchangeObject(at: 0, withObjectAt: 2)
    }
    #expect(said("the index 2 is beyond the 2 objects of the key numbers", exchanging))
    let range = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "numbers").removeObjects(in: NSRange(location: 0, length: 3))
    }
    #expect(said("the index 2 is beyond the 0 objects of the key numbers", range))
  }

  @Test func anotherNumberOfObjectsThanIndexes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "numbers").insert([1, 2], at: [0])
    }
    #expect(said("2 objects were given for 1 indexes of the key numbers", result))
  }

  @Test func aPropertyOfAnotherForm() async {
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Library().mutableSetValue(forKey: "numbers").count
    }
    #expect(
      said(#"mutableSetValueForKey:\]: the value for the key numbers must be a set, but is of type Array<Int>"#, set))
    let array = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Library().mutableArrayValue(forKey: "title").count
    }
    #expect(said("the key title must be an array or an ordered set, but is of type String", array))
  }

  @Test func keysThatCannotBeSetOrAreUnknown() async {
    let readOnly = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "first").add(1)
    }
    #expect(said("setValue:forUndefinedKey:.*compliant for the key first", readOnly))
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "missing").add(1)
    }
    #expect(said("valueForUndefinedKey:.*compliant for the key missing", unknown))
    let path = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Library().mutableArrayValue(forKeyPath: "numbers.items")
    }
    #expect(said("the key items of the key path numbers.items of <", path))
  }
}

private struct StandardError: TextOutputStream {
  func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

private var standardError: StandardError {
  get { StandardError() }
  set {}
}
