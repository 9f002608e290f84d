#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// A value that can't be converted traps, with a sentence that names the object, the key, the value, and its place.
@Suite struct RefusedValueTests {
  private enum Level: Int { case low, middle, high }

  private final class Meter: KeyValueObject {
    @Observed var int = 0
    @Observed var int8: Int8 = 0
    @Observed var uint: UInt = 0
    @Observed var float: Float = 0
    @Observed var decimal = Decimal()
    @Observed var maybe: Int16?
    @Observed var level = Level.low
    @Observed var levels: [Level] = []
    @Observed var levelSet: Set<Level> = []
    @Observed var nested: [String: [Level?]] = [:]
    @Observed var numbers: [Int] = []
    @Observed var bytes: [UInt8] = []
    @Observed var byNumber: [Int: String] = [:]
    @Observed var range = NSRange()
  }

  private func expectRefusal(
    _ sentence: String, _ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let subject = #"Cannot set the value for the key "\w+" of <Meter 0x[0-9a-f]+>, because it must be of type "#
    #expect(said(subject + sentence, result), sourceLocation: sourceLocation)
  }

  @Test func aNumberOutOfRange() async {
    let wide = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(300, forKey: "int8")
    }
    expectRefusal(#"Int8, but is of type Int\. Convert the value first\. It is 300\. Int8 has no such value\."#, wide)
    let large = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(1e30, forKey: "int")
    }
    expectRefusal(
      #"Int, but is of type Double\. Convert the value first\. It is 1e\+30\. Int has no such value\."#, large)
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(NSNumber(value: -1), forKey: "uint")
    }
    expectRefusal(
      #"UInt, but is of type NSNumber\. Convert the value first\. It is -1\. UInt has no such value\."#, negative)
    let optional = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(40_000, forKey: "maybe")
    }
    expectRefusal(
      #"Optional<Int16>, but is of type Int\. Convert the value first\. It is 40000\. Int16 has no such "#
        + #"value\."#, optional)
  }

  @Test func infinityAndNumbersTooLargeOrTooSmall() async {
    let notANumber = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(Double.nan, forKey: "int")
    }
    expectRefusal(
      #"Int, but is of type Double\. Convert the value first\. It is nan\. Int has no such value\."#, notANumber)
    let float = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(1e300, forKey: "float")
    }
    expectRefusal(#"Float, but is of type Double\. .*Float has no such value\."#, float)
    let decimal = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(1e200, forKey: "decimal")
    }
    expectRefusal(#"Decimal, but is of type Double\."#, decimal)
    let small = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(-1e-200, forKey: "decimal")
    }
    expectRefusal(#"Decimal, but is of type Double\."#, small)
    let infinity = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(-Double.infinity, forKey: "decimal")
    }
    expectRefusal(#"Decimal, but is of type Double\."#, infinity)
  }

  @Test func aStringIsNoNumber() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValuesForKeys(["int": "12"])
    }
    expectRefusal(#"Int, but is of type String\. Convert the value first\. It is 12\.\n"#, result)
  }

  @Test func aNumberThatIsNoRawValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(7, forKey: "level")
    }
    expectRefusal(#"Level, but is of type Int\. Convert the value first\. It is 7\. Level has no such value\."#, result)
  }

  @Test func anElement() async {
    let array = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue([0, 7], forKey: "levels")
    }
    expectRefusal(
      #"Array<Level>, but its element at index 1 can't be converted to Level: it is of type Int\. Convert the "#
        + #"value first\. It is 7\. Level has no such value\."#, array)
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(["low"] as Set<String>, forKey: "levelSet")
    }
    expectRefusal(
      #"Set<Level>, but its element in the set can't be converted to Level: it is of type String\. Convert the "#
        + #"value first\. It is low\."#, set)
    let bytes = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue([1, 2, 256], forKey: "bytes")
    }
    expectRefusal(
      #"Array<UInt8>, but its element at index 2 can't be converted to UInt8: it is of type Int\. Convert the "#
        + #"value first\. It is 256\. UInt8 has no such value\."#, bytes)
    let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue([1, nil] as [Int?], forKey: "numbers")
    }
    expectRefusal(#"Array<Int>, but its element at index 1 can't be converted to Int: it is of type NSNull\."#, null)
  }

  @Test func anElementOfANestedCollection() async {
    let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(["a": [0, NSNull(), "x"] as [Any]], forKey: "nested")
    }
    expectRefusal(
      #"Dictionary<String, Array<Optional<Level>>>, but its element for the key a, at index 2 can't be "#
        + #"converted to Level: it is of type String\. Convert the value first\. It is x\.\n"#, value)
    let key = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(["one": "a"], forKey: "byNumber")
    }
    expectRefusal(#"Dictionary<Int, String>, but its element among the keys can't be converted to Int: "#, key)
    let keys = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue([1: "a", 1.5: "b"] as [AnyHashable: String], forKey: "byNumber")
    }
    #expect(said(#"among the keys, where another one becomes equal, can't be converted to Int"#, keys))
  }

  @Test func aSetHasNoOrderForAnArray() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(Set([1, 2]), forKey: "numbers")
    }
    expectRefusal(#"Array<Int>, but is of type Set<Int>\."#, result)
  }

  @Test func anotherStructure() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().setValue(NSValue(size: CGSize(width: 1, height: 2)), forKey: "range")
    }
    expectRefusal(#"_?NSRange, but is of type "#, result)
  }

  @Test func anObjectThatAProxyInserts() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Meter().mutableArrayValue(forKey: "bytes").add(300)
    }
    #expect(
      said(
        #"Cannot put an object into the value for the key "bytes" of <Meter 0x[0-9a-f]+>, because it must be of type "#
          + #"UInt8, but is of type Int\. Convert the object first\. It is 300\. UInt8 has no such value\."#, result))
  }
}
#endif
