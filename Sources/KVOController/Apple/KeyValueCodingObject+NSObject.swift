#if canImport(ObjectiveC)
/// The superclass of ``KeyValueObject``.
public typealias KeyValueCodingObject = NSObject
#endif
