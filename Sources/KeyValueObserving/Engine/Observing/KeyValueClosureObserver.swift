#if !canImport(ObjectiveC)
/// Observes a path of one object with a closure.
///
/// - Thread safety: `isValid` is guarded by the lock; everything else is immutable.
final class KeyValueClosureObserver: KeyValueObject, @unchecked Sendable {
  private weak let object: KeyValueObject?
  private let keyPath: String
  private let handler: (borrowing KeyValueChange) -> Void
  private let lock = Lock()
  private var isValid = true

  init(
    _ object: KeyValueObject, _ path: ObservedPath, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping (borrowing KeyValueChange) -> Void
  ) {
    self.object = object
    self.handler = handler
    keyPath = path.name
    super.init()
    object.register(self, for: path, options: options, context: nil)
  }

  override func receive(_ change: borrowing KeyValueChange, context: UnsafeMutableRawPointer?) {
    guard lock.withLock({ isValid }) else { return }
    handler(change)
  }

  /// Ends the observation. An object whose `deinit` has begun removes the registration itself.
  func invalidate() {
    let wasValid = lock.withLock {
      defer { isValid = false }
      return isValid
    }
    guard wasValid, let object else { return }
    object.removeObserver(self, forKeyPath: keyPath, context: nil)
  }
}
#endif
