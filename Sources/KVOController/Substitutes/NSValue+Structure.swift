#if !canImport(ObjectiveC)
// Where Foundation doesn't bridge structures to `NSValue` and back.

extension ConversionRule {
  /// The structure of a type that an `NSValue` contains, or an `NSValue` that contains a structure; nil for other values.
  static func structure(_ value: Any, as type: Any.Type) -> Any? {
    if type == NSValue.self { return box(value) }
    guard Swift.type(of: value) is NSValue.Type, !(Swift.type(of: value) is NSNumber.Type),
      let value = value as? NSValue
    else { return nil }
    let contents = String(cString: value.objCType)
    func contains(_ sample: NSValue) -> Bool { contents == String(cString: sample.objCType) }
    if type == NSRange.self { return contains(NSValue(range: NSRange())) ? value.rangeValue : nil }
    if type == CGPoint.self { return contains(NSValue(point: .zero)) ? value.pointValue : nil }
    if type == CGSize.self { return contains(NSValue(size: .zero)) ? value.sizeValue : nil }
    if type == CGRect.self { return contains(NSValue(rect: .zero)) ? value.rectValue : nil }
    return nil
  }

  private static func box(_ value: Any) -> NSValue? {
    switch value {
    case let range as NSRange: NSValue(range: range)
    case let point as CGPoint: NSValue(point: point)
    case let size as CGSize: NSValue(size: size)
    case let rect as CGRect: NSValue(rect: rect)
    default: nil
    }
  }
}
#endif
