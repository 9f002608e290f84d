#if canImport(ObjectiveC)
import KVOController

/// An object whose observers Foundation registers.
public typealias RegisteredObject = KeyValueObject
#endif
