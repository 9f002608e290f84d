#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Programmer errors trap and say why.
@Suite struct MisuseTests {
  private static func notRegistered(_ keyPath: String, of class: String = "Node") -> String {
    #"Cannot remove an observer <(\w+\.)?Recorder 0x[0-9a-f]+> for the key path ""# + keyPath
      + #"" from <(\w+\.)?\#(`class`) 0x[0-9a-f]+> because it is not registered as an observer\."#
  }

  @Test func removingWhatWasNeverRegistered() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Node().removeObserver(Recorder(), forKeyPath: "number")
    }
    #expect(said(Self.notRegistered("number"), result))
  }

  @Test func removingTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (node, recorder) = (Node(), Recorder())
      recorder.observe(node, "child.name")
      recorder.unobserve(node, "child.name")
      recorder.unobserve(node, "child.name")
    }
    #expect(said(Self.notRegistered("child.name"), result))
  }

  @Test func removingWithAnotherContext() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (node, recorder) = (Node(), Recorder())
      recorder.observe(node, "number", context: 1)
      recorder.unobserve(node, "number", context: 2)
    }
    #expect(said(Self.notRegistered("number"), result))
  }

  @Test func removingWithNilWhatHasAContext() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (node, recorder) = (Node(), Recorder())
      recorder.observe(node, "number", context: 1)
      node.removeObserver(recorder, forKeyPath: "number", context: nil)
    }
    #expect(said(Self.notRegistered("number"), result))
  }

  @Test func removingWithAContextWhatHasNil() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (node, recorder) = (Node(), Recorder())
      recorder.observe(node, "number")
      recorder.unobserve(node, "number", context: 1)
    }
    #expect(said(Self.notRegistered("number"), result))
  }

  @Test func removingAnotherObserver() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let node = Node()
      Recorder().observe(node, "number")
      let recorder = Recorder()
      recorder.observe(node, "number")
      node.removeObserver(Recorder(), forKeyPath: "number")
    }
    #expect(said(Self.notRegistered("number"), result))
  }

  @Test func removingFromTheObjectOnThePathInsteadOfTheRoot() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (node, recorder) = (Node("root", child: Node("child")), Recorder())
      recorder.observe(node, "child.name")
      node.child?.removeObserver(recorder, forKeyPath: "name")
    }
    #expect(said(Self.notRegistered("name"), result))
  }

  @Test func removingADependencyOfWhatIsRegistered() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (person, recorder) = (Person(), Recorder())
      recorder.observe(person, "fullName")
      recorder.unobserve(person, "first")
    }
    #expect(said(Self.notRegistered("first", of: "Person"), result))
  }

  @Test func unhandledNotificationTraps() async {
    final class Careless: KeyValueObject {}
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (node, careless) = (Node(), Careless())
      node.addObserver(careless, forKeyPath: "number", options: .new, context: nil)
      node.number = 2
    }
    let sentence =
      #"<(\w+\.)*Careless: 0x[0-9a-f]+>: An -observeValueForKeyPath:ofObject:change:context: "#
      + #"message was received but not handled\."#
    #expect(said(sentence, result))
    #expect(said("number", result))
  }

  @Test func readingAnUndefinedKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Node().value(forKey: "missing")
    }
    let sentence =
      #"\[<(\w+\.)?Node 0x[0-9a-f]+> valueForUndefinedKey:\]: "#
      + #"this class is not key value coding-compliant for the key missing\."#
    #expect(said(sentence, result))
  }

  @Test func theInitialValueOfAnUndefinedKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (node, recorder) = (Node(), Recorder())
      recorder.observe(node, "missing", [.initial, .new])
    }
    #expect(said("valueForUndefinedKey:.*compliant for the key missing", result))
  }

  @Test func observingAMisspeltKey() async {
    let key = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Recorder().observe(Node("a"), "nmber", .new)
    }
    #expect(said("valueForUndefinedKey:.*compliant for the key nmber", key))
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Recorder().observe(Node("a", child: Node("b")), "child.nmber", .old)
    }
    #expect(said("valueForUndefinedKey:.*compliant for the key nmber", end))
  }

  @Test func observingAnEmptyComponent() async {
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Recorder().observe(Node("a"), "", .new)
    }
    #expect(said(#"valueForUndefinedKey:.*compliant for the key \."#, empty))
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Recorder().observe(Node("a", child: Node("b")), "child.", .new)
    }
    #expect(said(#"valueForUndefinedKey:.*compliant for the key \."#, end))
    let middle = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Recorder().observe(Node("a", child: Node("b")), "child..number", .new)
    }
    #expect(said(#"valueForUndefinedKey:.*compliant for the key \."#, middle))
  }

  @Test func anUndefinedKeyInTheMiddleOfAPath() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let node = Node("root", child: Node())
      _ = node.value(forKeyPath: "child.missing.name")
    }
    #expect(said("valueForUndefinedKey:.*compliant for the key missing", result))
  }

  @Test func anUndefinedKeyAmongTheDependenciesOfAnother() async {
    final class Letter: KeyValueObject {
      @Observed var name = ""
      var greeting: String { "Dear \(name)" }

      override class var keyPaths: [String: AnyKeyPath] { ["greeting": \Letter.greeting] }

      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "greeting" ? ["nmae"] : []
      }
    }
    let line = #line + 1  // That of the macro, for all of its closure.
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let observer = KeyValueObject()
      observer.observe(Letter(), \.greeting) { _, _, _ in }
    }
    #if DEBUG
    #expect(said("KVOControllerTests/MisuseTests.swift:\(line): The key \"nmae\" of <Letter 0x", in: result))
    #expect(
      said(#"which affects "greeting", is neither.* If it is misspelled, correct it in keyPathsForValues"#, result))
    #endif
  }

  @Test func settingAnUndefinedKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Node().setValue(1, forKey: "missing")
    }
    let sentence =
      #"\[<(\w+\.)?Node 0x[0-9a-f]+> setValue:forUndefinedKey:\]: "#
      + #"this class is not key value coding-compliant for the key missing\."#
    #expect(said(sentence, result))
  }

  @Test func settingAReadOnlyKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Person().setValue("Dear me", forKey: "greeting")
    }
    #expect(said("setValue:forUndefinedKey:.*compliant for the key greeting", result))
  }

  @Test func settingNilWhereItCannotBe() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Node().setValue(nil, forKey: "number")
    }
    let sentence =
      #"\[<(\w+\.)?Node 0x[0-9a-f]+> setNilValueForKey\]: could not set nil as the value for the key number\."#
    #expect(said(sentence, result))
  }

  @Test func aKeyPathThroughAnArray() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (box, recorder) = (Box([Node("a")]), Recorder())
      recorder.observe(box, "value.name", [])
    }
    #expect(said(#"is not supported\. Key path: "#, result))
  }

  @Test func aKeyPathThroughAFoundationCollection() async {
    let array = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (box, recorder) = (Box(NSArray(object: Node("a"))), Recorder())
      recorder.observe(box, "value.name", [])
    }
    #expect(said(#"is not supported\. Key path: "#, array))
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let node = Node("root")
      let box = Box(NSMutableSet(object: node))
      let holder = Box<Box<NSMutableSet>?>(box)
      let recorder = Recorder()
      recorder.observe(holder, "value.value.name", [])
    }
    #expect(said(#"is not supported\. Key path: "#, set))
  }
}
#endif
