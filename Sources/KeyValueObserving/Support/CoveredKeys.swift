/// The keys that are being set on this thread as part of a change that observers are already notified of.
///
/// Key-Value Coding and the proxies notify of a change of a key and call its setter in between. Notifications that the
/// setter itself would send for the key are part of the same change.
package enum CoveredKeys {
  private final class Entry {
    let object: ObjectIdentifier
    let key: String
    let outer: Entry?

    init(_ object: KeyValueObservable, _ key: String, outer: Entry?) {
      self.object = ObjectIdentifier(object)
      self.key = key
      self.outer = outer
    }
  }

  private static let address = ThreadLocal()

  /// The innermost entry, which the call of ``with(_:of:_:)`` that created it keeps alive.
  private static var current: Entry? {
    get { UnsafeRawPointer(bitPattern: address.value).map { Unmanaged<Entry>.fromOpaque($0).takeUnretainedValue() } }
    set { address.value = UInt(bitPattern: newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }

  /// Runs `body` while the key of the object is covered on this thread.
  package static func with(_ key: String, of object: KeyValueObservable, _ body: () -> Void) {
    let entry = Entry(object, key, outer: current)
    current = entry
    body()
    current = entry.outer
    withExtendedLifetime(entry) {}
  }

  /// Whether the key of the object is covered on this thread.
  package static func contain(_ key: String, of object: KeyValueObservable) -> Bool {
    contain(where: { $0.key == key }, of: object)
  }

  /// Whether the first key of the key path is covered on this thread.
  package static func contain(firstKeyOf keyPath: String, of object: KeyValueObservable) -> Bool {
    contain(where: { keyPath == $0.key || keyPath.hasPrefix($0.key + ".") }, of: object)
  }

  private static func contain(where matches: (Entry) -> Bool, of object: KeyValueObservable) -> Bool {
    var next = current
    while let entry = next {
      if entry.object == ObjectIdentifier(object), matches(entry) { return true }
      next = entry.outer
    }
    return false
  }
}
