/// An identifier that distinguishes several observations of one key path.
///
/// The hash is computed once, outside all locks, because it may run foreign code; for the same reason `==` is never
/// called under a lock.
///
/// - Thread safety: Immutable. The wrapped value is used on several threads, as in any dictionary that is shared.
final class HashedIdentifier: @unchecked Sendable {
  /// The value; nil if the identifier is equal only to itself.
  let value: AnyHashable?
  private(set) var hash = 0

  init(_ value: AnyHashable) {
    self.value = value
    hash = value.hashValue
  }

  /// Creates an identifier that is equal only to itself.
  init() {
    value = nil
    hash = ObjectIdentifier(self).hashValue
  }

  /// Whether both identify the same observation. Runs foreign code.
  static func areEqual(_ left: HashedIdentifier?, _ right: HashedIdentifier?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    guard let value = left.value, let other = right.value else { return left === right }
    return value == other
  }
}

extension HashedIdentifier: CustomStringConvertible {
  var description: String { value.map { "\($0)" } ?? "a sequence's own" }
}
