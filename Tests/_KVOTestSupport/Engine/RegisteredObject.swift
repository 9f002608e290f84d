#if !canImport(ObjectiveC)
import KVOController

#if KVO_STAND_INS
/// An object whose observers the stand-in for Foundation registers.
open class RegisteredObject: KeyValueObject {
  open override func addObserver(
    _ observer: KeyValueObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    FoundationRegistrar.add(observer, to: self, forKeyPath: keyPath, options: options, context: context)
  }

  open override func removeObserver(
    _ observer: KeyValueObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    FoundationRegistrar.remove(observer, from: self, forKeyPath: keyPath, context: .some(context))
  }

  open override func removeObserver(_ observer: KeyValueObject, forKeyPath keyPath: String) {
    FoundationRegistrar.remove(observer, from: self, forKeyPath: keyPath, context: .none)
  }

  open override var observationInfo: UnsafeMutableRawPointer? { FoundationRegistrar.observationInfo(of: self) }
}
#else
/// An object whose observers Foundation registers on Apple platforms.
public typealias RegisteredObject = KeyValueObject
#endif
#endif
