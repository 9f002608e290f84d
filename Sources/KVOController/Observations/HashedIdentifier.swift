/// An identifier that distinguishes several observations of one key path.
///
/// The hash is computed once, outside all locks, because it may run foreign code; for the same reason `==` is never
/// called under a lock.
///
/// - Thread safety: Immutable. The wrapped value is used on several threads, as in any dictionary that is shared.
final class HashedIdentifier: @unchecked Sendable {
  /// The value that was passed to `observe`, if any.
  let value: AnyHashable?
  /// The list of key paths that are observed together, if there is one.
  let list: KeyPathList?
  /// The hash of the value; nil if there is a list, and no value.
  private(set) var hash: Int?

  init(_ value: AnyHashable) {
    self.value = value
    list = nil
    hash = value.hashValue
  }

  init(_ value: AnyHashable?, _ list: KeyPathList) {
    self.value = value
    self.list = list
    hash = value?.hashValue
  }

  /// Creates an identifier that is equal only to itself.
  init() {
    value = nil
    list = nil
    // Many of them can be of one key path.
    hash = ObjectIdentifier(self).hashValue
  }

  /// Whether both were made with equal values. Runs foreign code.
  static func haveEqualValues(_ left: HashedIdentifier?, _ right: HashedIdentifier?) -> Bool {
    guard let value = left?.value, let other = right?.value else {
      return left?.value == nil && right?.value == nil
        && (left === right || left?.isUnique != true && right?.isUnique != true)
    }
    return value == other
  }

  /// Whether both identify the same observation of a key path. Runs foreign code.
  static func areEqual(_ left: HashedIdentifier?, _ right: HashedIdentifier?, at object: KeyValueObservable) -> Bool {
    haveEqualValues(left, right) && KeyPathList.areEqual(left?.list, right?.list, at: object)
  }

  private var isUnique: Bool { value == nil && list == nil }
}

extension HashedIdentifier: CustomStringConvertible {
  var description: String { value.map { "\($0)" } ?? "its own" }
}
