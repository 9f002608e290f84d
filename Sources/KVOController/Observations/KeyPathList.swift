/// The key paths that one call observes with a handler that is called once for each change.
///
/// Each key path has an observation, which isn't equal to one that was made alone. They begin and end together, and the engine
/// notifies one of them of a change.
///
/// - Thread safety: The lock guards the state.
final class KeyPathList: @unchecked Sendable {
  private let paths: [ObservedPath]
  /// Whether a key path was taken out, after which the list is equal only to itself.
  private let isBroken = LockedState(false)

  init(_ paths: [ObservedPath]) {
    self.paths = paths
  }

  func noteEnd() { isBroken.withLock { $0 = true } }

  /// Whether two lists have the same key paths, in any order. Runs foreign code.
  static func areEqual(_ left: KeyPathList?, _ right: KeyPathList?, at object: KeyValueObservable) -> Bool {
    guard let left, let right, left !== right else { return left === right }
    guard !left.isBroken.withLock({ $0 }), !right.isBroken.withLock({ $0 }) else { return false }
    return left.contains(right, at: object) && right.contains(left, at: object)
  }

  private func contains(_ other: KeyPathList, at object: KeyValueObservable) -> Bool {
    other.paths.allSatisfy { path in paths.contains { $0.isSame(as: path, at: object) } }
  }
}
