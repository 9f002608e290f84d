#if !canImport(ObjectiveC)
import KVOController

private let foundationRegisters = ProcessInfo.processInfo.environment["KVO_FOUNDATION_REGISTERS"] != nil

/// An object whose observers the stand-in for Foundation registers, if the environment has `KVO_FOUNDATION_REGISTERS`.
open class RegisteredObject: KeyValueObject {
  open override func addObserver(
    _ observer: KeyValueObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    if foundationRegisters {
      FoundationRegistrar.add(observer, to: self, forKeyPath: keyPath, options: options, context: context)
    } else {
      super.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    }
  }

  open override func removeObserver(
    _ observer: KeyValueObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    if foundationRegisters {
      FoundationRegistrar.remove(observer, from: self, forKeyPath: keyPath, context: .some(context))
    } else {
      super.removeObserver(observer, forKeyPath: keyPath, context: context)
    }
  }

  open override func removeObserver(_ observer: KeyValueObject, forKeyPath keyPath: String) {
    if foundationRegisters {
      FoundationRegistrar.remove(observer, from: self, forKeyPath: keyPath, context: .none)
    } else {
      super.removeObserver(observer, forKeyPath: keyPath)
    }
  }

  open override var observationInfo: UnsafeMutableRawPointer? {
    foundationRegisters ? FoundationRegistrar.observationInfo(of: self) : super.observationInfo
  }
}
#endif
