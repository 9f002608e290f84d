#if canImport(ObjectiveC)
extension ConversionRule {
  /// nil: Foundation bridges structures to `NSValue` and back, so that a cast converts them.
  static func structure(_ value: Any, as type: Any.Type) -> Any? { nil }
}
#endif
