/// What is found out about each class once, and kept as long as the process lives.
final class ClassCache<Value: AnyObject & Sendable>: @unchecked Sendable {
  private let lock = UnfairLock()
  private var values: [ObjectIdentifier: Value] = [:]

  /// The value for `type`, made by `make`, which may run foreign code, if there is none yet.
  func value(for type: AnyClass, orMake make: () -> Value) -> Value {
    let identifier = ObjectIdentifier(type)
    if let value = lock.withLock({ values[identifier] }) { return value }
    let made = make()
    return lock.withLock {
      if let value = values[identifier] { return value }
      values[identifier] = made
      return made
    }
  }
}
