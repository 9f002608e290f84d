/// A value for each class, which is created once and never deallocated, as classes aren't.
final class ClassCache<Value: AnyObject & Sendable>: Sendable {
  private let values = LockedState<[ObjectIdentifier: Value]>([:])

  /// The value for `type`. If there is none yet, `make` creates it, and may run foreign code.
  func value(for type: AnyClass, orMake make: () -> Value) -> Value {
    let identifier = ObjectIdentifier(type)
    if let value = values.withLock({ $0[identifier] }) { return value }
    let made = make()
    return values.withLock { values in
      if let value = values[identifier] { return value }
      values[identifier] = made
      return made
    }
  }
}
