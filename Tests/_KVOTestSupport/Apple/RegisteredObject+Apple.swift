#if canImport(ObjectiveC)
import KVOController

/// An object whose observers Foundation registers.
public typealias RegisteredObject = KeyValueObject

/// Whether the engine doesn't observe an object itself.
func isForeign(_ object: KeyValueObservable) -> Bool { !(object is KeyValueObject) }
#endif
