#if !canImport(ObjectiveC)
/// A table from objects, by identity, to objects: the methods of `NSMapTable` that observations need.
///
/// Keys are addresses: they aren't retained, and their own `hash` and `==` aren't called. The user of the table must
/// remove a key before its memory is freed.
///
/// - Complexity: Constant time, except for ``values``.
final class MapTable<Key: AnyObject, Value: AnyObject> {
  /// An address, which serves as its own hash.
  private struct Address: Hashable {
    let identifier: ObjectIdentifier

    init(_ object: Key) {
      identifier = ObjectIdentifier(object)
    }

    func _rawHashValue(seed: Int) -> Int {
      let address = Int(bitPattern: identifier)
      return (address >> 4 ^ address >> 12) &+ seed
    }
  }

  private var objects: [Address: Value] = [:]

  /// Every value, in no particular order.
  fileprivate var values: [Value] { Array(objects.values) }

  func object(forKey key: Key) -> Value? { objects[Address(key)] }

  func setObject(_ object: Value, forKey key: Key) {
    objects[Address(key)] = object
  }

  func removeObject(forKey key: Key) {
    objects[Address(key)] = nil
  }

  func removeAllObjects() {
    objects = [:]
  }
}

extension ObservedObject {
  typealias Table = MapTable<KeyValueObservable, ObservedObject>

  static func table() -> Table { MapTable() }

  /// Every object of a table, in no particular order.
  static func all(in table: Table) -> [ObservedObject] { table.values }
}
#endif
