/// An identifier that distinguishes several observations of one key path. Its hash is computed once, outside of all locks,
/// because that may run foreign code.
///
/// - Thread safety: Immutable. The wrapped value is used on several threads, as in any dictionary that is shared.
final class HashedIdentifier: @unchecked Sendable {
  /// The value that was passed to `observe`, if any.
  let value: AnyHashable?
  /// The different key paths that one call observes with a handler that is called once for each change, if it does. Their
  /// observations aren't equal to any that was made alone. They begin and end together, and the engine notifies one of them
  /// of a change.
  let list: [ObservedPath]?
  /// The options with which the elements of a collection are observed, if they are.
  let elementOptions: NSKeyValueObservingOptions?
  private let target: AnyKeyPath?
  /// The hash of the value; nil if there is a list, and no value.
  private(set) var hash: Int?

  init(_ value: AnyHashable?, list: [ObservedPath]? = nil, elementOptions: NSKeyValueObservingOptions? = nil) {
    (self.value, self.list, self.elementOptions, target) = (value, list, elementOptions, nil)
    hash = value?.hashValue
  }

  /// Creates an identifier that is equal only to itself.
  ///
  /// - Parameter target: The property that is bound by the observation, if it is a binding.
  init(bindingOf target: AnyKeyPath? = nil) {
    (value, list, elementOptions, self.target) = (nil, nil, nil, target)
    // Many of them can be of one key path.
    hash = ObjectIdentifier(self).hashValue
  }

  /// Whether both were made with equal values. Runs foreign code.
  static func haveEqualValues(_ left: HashedIdentifier?, _ right: HashedIdentifier?) -> Bool {
    left === right || left?.isUnique != true && right?.isUnique != true && left?.value == right?.value
  }

  /// Whether both identify the same observation of a key path: also those of lists of the same key paths, in any order. Runs
  /// foreign code.
  static func areEqual(_ left: HashedIdentifier?, _ right: HashedIdentifier?, at object: KeyValueObservable) -> Bool {
    guard left !== right else { return true }
    guard haveEqualValues(left, right), left?.list?.count == right?.list?.count else { return false }
    return left?.list?.allSatisfy { path in right?.list?.contains { $0.isSame(as: path, at: object) } == true } != false
  }

  private var isUnique: Bool { value == nil && list == nil }
}

extension HashedIdentifier: CustomStringConvertible {
  var description: String {
    if let target { return "binding of \(ObservedPath.description(of: target))" }
    return value.map { "\($0)" } ?? "its own"
  }
}
