/// A registration that calls a closure.
final class ClosureObservance: Observance, @unchecked Sendable {
  private let handler: (borrowing KeyValueChange) -> Void

  init(
    _ path: ObservedPath, options: NSKeyValueObservingOptions, _ handler: @escaping (borrowing KeyValueChange) -> Void
  ) {
    self.handler = handler
    super.init(path, options: options)
  }

  override func deliver(_ change: borrowing KeyValueChange) { handler(change) }
}
