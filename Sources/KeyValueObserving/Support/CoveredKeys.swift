/// The keys that are being set on this thread as part of a change that has been announced already.
///
/// Key-Value Coding and the proxies announce a change of a key and then run its setter. What that setter itself would
/// announce about the key is part of the same change.
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

  /// The innermost entry, which is alive as long as ``with(_:of:_:)`` that made it runs.
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
