#if !canImport(ObjectiveC)
import KVOController
import Testing

/// Values are unwrapped from their Optionals, wherever those are.
@Suite struct UnwrappingTests {
  private final class Holder: KeyValueObject {
    var held: Any = 0
    override class var keyPaths: [String: AnyKeyPath] { ["held": \Holder.held] }
  }

  private enum Choice { case one }
  private struct Point { var x = 5 }

  private func value(of held: Any) -> Any? {
    let holder = Holder()
    holder.held = held
    return holder.value(forKey: "held")
  }

  @Test func anOptionalIsUnwrappedWhateverItIsIn() {
    let point: Point? = Point()
    for held in [point as Any, point as Point?? as Any, point as Any? as Any] {
      let value = value(of: held)
      #expect(value.map { type(of: $0) == Point.self } == true && (value as? Point)?.x == 5)
    }
    #expect(value(of: AnyHashable(Int?.none)) == nil)
    #expect(value(of: Int?.none as Any) == nil)
    #expect(value(of: (Int?.none as Any) as AnyObject) == nil && value(of: NSNull()) is NSNull)
    #expect(value(of: Int??.some(nil) as Any) == nil)
  }

  @Test func otherValuesStayAsTheyAre() {
    let object = KeyValueObject()
    #expect(value(of: object) as? KeyValueObject === object)
    #expect(value(of: 5) as? Int == 5 && value(of: Choice.one) as? Choice == .one)
    #expect(value(of: (1, "a")) as? (Int, String) ?? (0, "") == (1, "a"))
    #expect(value(of: Int?.self).map { $0 as? Any.Type == Int?.self } == true)
    #expect(value(of: AnyHashable(6)) as? Int == 6)
    #expect((value(of: { 7 }) as? () -> Int)?() == 7)
  }
}
#endif
