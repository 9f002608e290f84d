#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Programmer errors with proxies trap and say why.
@Suite struct ToManyMisuseTests {
  @Test func aWrongElementType() async {
    let array = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "numbers").addObjects(from: [1, "two"])
    }
    #expect(said(#"the key "numbers" of <Library 0x.* must be of type Int, but is of type String\. Convert"#, array))
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableSetValue(forKey: "colorSet").add("mauve")
    }
    #expect(said(#"the key "colorSet" of .* must be of type Color, but is of type String"#, set))
    let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableOrderedSetValue(forKey: "numbers").add(NSNull())
    }
    #expect(said(#"the key "numbers" of .* must be of type Int, but is of type NSNull"#, null))
  }

  @Test func aWrongElementTypeChangesNothing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (library, recorder) = (Library(), Recorder())
      recorder.whenCalled = { _, _ in print("notified", to: &standardError) }
      recorder.observe(library, "numbers", .prior)
      library.mutableArrayValue(forKey: "numbers").insert([1, "two"], at: [0, 1])
    }
    #expect(said("Convert the object first", result) && !said("notified", result))
  }

  @Test func anIndexBeyondTheEnd() async {
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Library().mutableArrayValue(forKey: "numbers").object(at: 0)
    }
    #expect(said(#"the index 0 of the value for the key "numbers" of .*, because there are 0 objects"#, reading))
    let inserting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "numbers").insert([1, 2], at: [0, 2])
    }
    #expect(said(#"the index 2 of the value for the key "numbers" of .*, because there are 0 objects"#, inserting))
    let removing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "array").removeObject(at: -1)
    }
    #expect(said(#"the index -1 of the value for the key "array" of .*, because there are 0 objects"#, removing))
    let exchanging = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let library = Library()
      library.numbers = [1, 2]
      library.mutableOrderedSetValue(forKey: "numbers").exchangeObject(at: 0, withObjectAt: 2)
    }
    #expect(said(#"the index 2 of the value for the key "numbers" of .*, because there are 2 objects"#, exchanging))
    let range = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "numbers").removeObjects(in: NSRange(location: 0, length: 3))
    }
    #expect(said(#"the index 2 of the value for the key "numbers" of .*, because there are 0 objects"#, range))
  }

  @Test func anIndexThatIsNotFound() async {
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Library().mutableArrayValue(forKey: "numbers").object(at: NSNotFound)
    }
    #expect(said(#"the index \d{19} of the value for the key "numbers" of .*, because there are 0 objects"#, reading))
    let inserting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableOrderedSetValue(forKey: "numbers").insert(1, at: .max)
    }
    #expect(said(#"the index \d{19} of the value for the key "numbers" of .*, because there are 0 objects"#, inserting))
    let exchanging = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let library = Library()
      library.numbers = [1, 2]
      library.mutableArrayValue(forKey: "numbers").exchangeObject(at: 0, withObjectAt: NSNotFound)
    }
    #expect(
      said(#"the index \d{19} of the value for the key "numbers" of .*, because there are 2 objects"#, exchanging))
    let range = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "numbers").removeObjects(in: NSRange(location: 3, length: .max))
    }
    #expect(said(#"the index \d{19} of the value for the key "numbers" of .*, because there are 0 objects"#, range))
    let sorting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableOrderedSetValue(forKey: "numbers")
        .sortRange(NSRange(location: NSNotFound, length: 1)) { _, _ in .orderedSame }
    }
    #expect(said(#"the index \d{19} of the value for the key "numbers" of .*, because there are 0 objects"#, sorting))
  }

  @Test func anotherNumberOfObjectsThanIndexes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Library().mutableArrayValue(forKey: "numbers").insert([1, 2], at: [0])
    }
    #expect(said(#"put 2 objects into the value for the key "numbers" of .* the number of indexes is 1"#, result))
  }

  @Test func aPropertyOfAnotherForm() async {
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Library().mutableSetValue(forKey: "numbers").count
    }
    #expect(said(#"the key "numbers" of .* it must be a set, but is of type Array<Int>"#, set))
    let array = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Library().mutableArrayValue(forKey: "title").count
    }
    #expect(said(#"the key "title" of .* it must be an array or an ordered set, but is of type String"#, array))
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
    #expect(said(#"the key path "numbers\.items" of <Library 0x[0-9a-f]+> as a mutable collection"#, path))
  }
}

private struct StandardError: TextOutputStream {
  func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

private var standardError: StandardError {
  get { StandardError() }
  set {}
}
#endif
