/// A value for each class, which is created once and never deallocated.
final class ClassCache<Value: AnyObject & Sendable>: @unchecked Sendable {
  private let lock = Lock()
  // The lock excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private var values: [ObjectIdentifier: Value] = [:]

  /// The value for `type`. If there is none yet, `make` creates it, and may run foreign code.
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
