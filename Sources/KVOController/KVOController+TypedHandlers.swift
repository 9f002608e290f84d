// Handlers that take the observer and the object with their types. An observation has one observer and one object, whose types
// were checked when it began, so they aren't checked in each call, for the row "set with a typed handler" of `Benchmarks`.

extension KVOController {
  /// An observer or an object with the type that it had when its observation began. Debug builds check it.
  @inlinable
  @inline(__always)
  static func known<Known: AnyObject>(_ object: AnyObject, as type: Known.Type) -> Known {
    unsafeDowncast(object, to: type)
  }

  /// A handler that passes on the object and the change.
  @inlinable
  @inline(__always)
  static func typed<Object: AnyObject, Value>(
    _ changeHandler: @escaping (Object, KVOChange<Value>) -> Void
  ) -> (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void {
    { _, change in
      let typed = KVOChange<Value>(change)
      change.borrowedObject?._withUnsafeGuaranteedRef { changeHandler(known($0, as: Object.self), typed) }
    }
  }

  /// A handler that passes on the observer, the object, and the change.
  @inlinable
  @inline(__always)
  static func typed<Observer: AnyObject, Object: AnyObject, Value>(
    _ changeHandler: @escaping (Observer, Object, KVOChange<Value>) -> Void
  ) -> (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void {
    { observer, change in
      let typed = KVOChange<Value>(change)
      change.borrowedObject?._withUnsafeGuaranteedRef {
        changeHandler(known(observer, as: Observer.self), known($0, as: Object.self), typed)
      }
    }
  }
}
