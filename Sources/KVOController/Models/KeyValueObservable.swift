#if canImport(ObjectiveC)
/// The base class of all observable objects: `NSObject`, where Foundation has Key-Value Observing.
public typealias KeyValueObservable = NSObject
#else
/// The base class of all observable objects: `KeyValueObject`, where Foundation has no Key-Value Observing.
public typealias KeyValueObservable = KeyValueObject
#endif
