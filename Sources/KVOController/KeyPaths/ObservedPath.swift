/// An observed key path: its keys, or how it is read if they aren't known.
@usableFromInline
final class ObservedPath: Sendable {
  /// The keys, joined by dots; for a typed key path whose keys aren't known, a text that describes it.
  let name: String
  private let names: [PathKey]
  /// The key path, if its keys aren't known.
  let typed: FollowedKeyPath?

  init(_ name: String) {
    self.name = name
    names = PathKey.keys(of: name)
    typed = nil
  }

  init(_ names: [PathKey]) {
    name = names.map(\.text).joined(separator: ".")
    self.names = names
    typed = nil
  }

  init(_ typed: FollowedKeyPath) {
    name = typed.text
    names = []
    self.typed = typed
  }

  /// The keys; nil if the path must be followed by reading it. Those of a path that was nil at some step may become known.
  var keys: [PathKey]? { typed == nil ? names : typed?.keys }

  /// The index of the last of the keys that are known from the beginning.
  var lastIndex: Int { names.count - 1 }

  /// Whether the keys are known.
  var isNamed: Bool { keys != nil }

  /// Whether its keys are names, which mean what the classes of the objects on the path call so.
  var hasOnlyNames: Bool { keys?.allSatisfy { $0.property == nil } == true }

  /// Whether the keys may become known later.
  var isIncomplete: Bool { typed?.isIncomplete ?? false }

  /// The current name of the path.
  var currentName: String { typed?.keys.map { $0.map(\.text).joined(separator: ".") } ?? name }

  /// Distinguishes key paths of one name, such as those with different arguments; nil for a path whose keys are known.
  var hash: Int? { typed?.hash }

  /// The only key of the path in a class; nil if there are several, or if it must be followed by reading it.
  func onlyKey(in properties: ClassProperties) -> ObservedKey? {
    guard let keys, keys.count == 1, case .key(let key) = properties.meaning(of: keys[0]) else { return nil }
    return key
  }
}

extension ObservedPath {
  /// Whether two paths lead to the same properties of the objects that are on them now.
  ///
  /// A step of a typed key path means the property of the class that it names, and a name means that of the object's own
  /// class. They differ if the class overrides the property, or has a private property of the same name. Runs foreign code.
  func isSame(as other: ObservedPath, at root: KeyValueObservable) -> Bool {
    guard self !== other else { return true }
    guard let keys, let otherKeys = other.keys else { return typed.map { $0.isSame(as: other.typed) } ?? false }
    guard keys == otherKeys else { return false }
    guard zip(keys, otherKeys).contains(where: { $0.property !== $1.property }) else { return true }
    var object = root
    for (key, otherKey) in zip(keys, otherKeys) {
      // A name means the same in a foreign object for both.
      if let properties = ownObject(object)?.properties {
        switch (properties.meaning(of: key), properties.meaning(of: otherKey)) {
        case (.key(let key), .key(let otherKey)) where key === otherKey: break
        case (.property(let property), .property(let other)) where property.keyPath == other.keyPath: break
        default: return false
        }
      }
      guard let next = object.value(forKey: key.text).flatMap(unwrapped).flatMap(pathObject) else { return true }
      object = next
    }
    return true
  }
}
