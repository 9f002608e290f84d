#if canImport(ObjectiveC)
/// The class from which everything observable descends: `NSObject`, where Foundation has Key-Value Observing.
public typealias KeyValueObservable = NSObject
#else
/// The class from which everything observable descends: `KeyValueObject`, where Foundation has no Key-Value Observing.
public typealias KeyValueObservable = KeyValueObject
#endif
