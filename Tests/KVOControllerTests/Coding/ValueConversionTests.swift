import KVOController
import Testing
import _KVOTestSupport

/// How KVC converts values.
@Suite struct ValueConversionTests {
  private final class Numbers: KeyValueObject {
    @Observed var int = 0
    @Observed var int8: Int8 = 0
    @Observed var int16: Int16 = 0
    @Observed var int32: Int32 = 0
    @Observed var int64: Int64 = 0
    @Observed var uint: UInt = 0
    @Observed var uint8: UInt8 = 0
    @Observed var uint16: UInt16 = 0
    @Observed var uint32: UInt32 = 0
    @Observed var uint64: UInt64 = 0
    @Observed var float: Float = 0
    @Observed var double = 0.0
    @Observed var cgFloat: CGFloat = 0
    @Observed var number = NSNumber(value: 0)
    @Observed var optionalInt: Int?
    @Observed var optionalFloat: Float?
    @Observed var optionalNumber: NSNumber?
    @Observed var anything: Any?
  }

  private enum Mood: Int { case sad, happy }
  private enum Color: String { case red, blue }

  private final class Feelings: KeyValueObject {
    @Observed var mood = Mood.sad
    @Observed var optional: Mood?
    @Observed var color = Color.red
  }

  private static let keys = [
    "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float", "double",
    "cgFloat", "optionalInt", "optionalFloat",
  ]

  /// 42 in every width.
  private static var fortyTwos: [any Sendable] {
    [
      42, 42 as Int8, 42 as Int16, 42 as Int32, 42 as Int64, 42 as UInt, 42 as UInt8, 42 as UInt16, 42 as UInt32,
      42 as UInt64, 42 as Float, 42.0, 42 as CGFloat, NSNumber(value: 42), NSNumber(value: 42.0),
      NSNumber(value: 42 as UInt8),
    ]
  }

  private static func asDouble(_ value: Any?) -> Double? {
    switch value {
    case let value as any BinaryInteger: Double(value)
    case let value as any BinaryFloatingPoint: Double(value)
    // As it is if coding is bridged.
    case let value as NSNumber: value.doubleValue
    default: nil
    }
  }

  @Test(arguments: keys)
  func anyWidthFitsAnyWidth(key: String) {
    for value in Self.fortyTwos {
      let numbers = Numbers()
      numbers.setValue(value, forKey: key)
      let read = numbers.value(forKey: key)
      #expect(Self.asDouble(read) == 42, "\(key) from \(Swift.type(of: value))")
    }
  }

  @Test func extremesSurvive() {
    let numbers = Numbers()
    for (key, value) in [
      ("int64", Int64.min as Any), ("uint64", UInt64.max), ("int8", Int8.min), ("uint8", UInt8.max),
      ("double", Double.greatestFiniteMagnitude),
    ] {
      numbers.setValue(value, forKey: key)
    }
    #expect(numbers.int64 == .min && numbers.uint64 == .max && numbers.int8 == .min && numbers.uint8 == .max)
    #expect(numbers.double == .greatestFiniteMagnitude)
    numbers.setValue(-5 as Int8, forKey: "int64")
    #expect(numbers.int64 == -5)
    numbers.setValue(UInt64.max, forKey: "uint")
    #expect(numbers.uint == .max)
    numbers.setValue(NSNumber(value: UInt64.max), forKey: "uint")
    #expect(numbers.uint == .max)
    numbers.setValue(0.5 as Float, forKey: "double")
    #expect(numbers.double == 0.5)
  }

  @Test func propertiesOfNSNumberTakeNumbers() {
    let numbers = Numbers()
    numbers.setValue(42, forKey: "number")
    #expect(numbers.number.intValue == 42)
    numbers.setValue(0.5, forKey: "optionalNumber")
    #expect(numbers.optionalNumber?.doubleValue == 0.5)
    numbers.setValue(NSNumber(value: 7), forKey: "optionalNumber")
    #expect(numbers.optionalNumber?.intValue == 7)
    numbers.setValue(nil, forKey: "optionalNumber")
    #expect(numbers.optionalNumber == nil)
  }

  @Test func optionalsConvertLikeWhatTheyWrap() {
    let numbers = Numbers()
    numbers.setValue(7 as UInt8, forKey: "optionalInt")
    #expect(numbers.optionalInt == 7)
    numbers.setValue(nil, forKey: "optionalInt")
    #expect(numbers.optionalInt == nil)
    numbers.setValue(NSNumber(value: 0.5), forKey: "optionalFloat")
    #expect(numbers.optionalFloat == 0.5)
  }

  @Test func anythingTakesAnything() {
    let numbers = Numbers()
    numbers.setValue("text", forKey: "anything")
    #expect(numbers.anything as? String == "text")
    numbers.setValue(5, forKey: "anything")
    #expect(numbers.value(forKey: "anything") as? Int == 5)
    numbers.setValue(nil, forKey: "anything")
    #expect(numbers.anything == nil)
  }

  @Test func rawValuesBecomeEnumerations() {
    let feelings = Feelings()
    feelings.setValue(1, forKey: "mood")
    #expect(feelings.mood == .happy)
    feelings.setValue(Mood.sad, forKey: "mood")
    #expect(feelings.mood == .sad)
    feelings.setValue(NSNumber(value: 1), forKey: "mood")
    #expect(feelings.mood == .happy)
    feelings.setValue(1, forKey: "optional")
    #expect(feelings.optional == .happy)
    feelings.setValue(nil, forKey: "optional")
    #expect(feelings.optional == nil)
    feelings.setValue("blue", forKey: "color")
    #expect(feelings.color == .blue)
    #expect(feelings.value(forKey: "color") as? Color == .blue)
  }

  @Test func stringsOfBothKindsFit() {
    let node = Node()
    node.setValue(NSString(string: "text"), forKey: "name")
    #expect(node.name == "text")
    let box = Box(NSString(string: ""))
    box.setValue("text", forKey: "value")
    #expect(box.value == "text")
  }

  @Test func subclassesFitWhereTheirSuperclassIsDeclared() {
    final class SubNode: Node, @unchecked Sendable {}
    let (node, sub) = (Node(), SubNode())
    node.setValue(sub, forKey: "child")
    #expect(node.child === sub)
  }

  @Test func convertedValuesNotifyAsWhatTheyBecame() {
    let numbers = Numbers()
    let recorder = Recorder()
    recorder.observe(numbers, "int8")
    numbers.setValue(NSNumber(value: 5), forKey: "int8")
    #expect(recorder.take() == [.setting(new: 5 as Int8, old: 0 as Int8)])
  }
}
