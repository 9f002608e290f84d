#if KVO_STAND_INS
import KVOController

/// Registers observers with the engine's objects in the manner of Foundation, which does so on Apple platforms.
///
/// - The initial notification is sent before the registration is made, and nothing else is read then.
/// - Removing a registration that doesn't exist stops the process, and so does a change with an observer that was
///   deallocated without being removed.
/// - The object notifies it of each change, by the methods that it calls on its superclass.
///
/// A ``RegisteredObject`` uses it.
package enum FoundationRegistrar {
  private static let lock = Locked(())

  private static func registrations(with object: KeyValueObject) -> FoundationRegistrations? {
    object.foundationStandIn as? FoundationRegistrations
  }

  private static func makeRegistrations(with object: KeyValueObject) -> FoundationRegistrations {
    lock.withLock { _ in
      if let made = registrations(with: object) { return made }
      let made = FoundationRegistrations(of: object)
      object.willBeObserved(by: made)
      return made
    }
  }

  package static func add(
    _ observer: KeyValueObject, to object: KeyValueObject, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) {
    let registrations = makeRegistrations(with: object)
    let registration = ForeignRegistration(observer, keyPath, options, context, of: object)
    registration.sendInitial(of: object)
    registration.follow(from: object)
    registrations.table.insert(registration)
  }

  package static func remove(
    _ observer: KeyValueObject, from object: KeyValueObject, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer??
  ) {
    guard let removed = registrations(with: object)?.table.remove(observer, keyPath, context) else {
      fatalError(
        "Cannot remove an observer for the key path \"\(keyPath)\" because it is not registered as an observer.")
    }
    if removed.isRead { _ = object.value(forKeyPath: keyPath) }
    removed.unfollow()
  }

  package static func observationInfo(of object: KeyValueObject) -> UnsafeMutableRawPointer? {
    guard let registrations = registrations(with: object), !registrations.table.isEmpty else { return nil }
    return Unmanaged.passUnretained(registrations).toOpaque()
  }
}

/// The registrations with one object of the engine.
private final class FoundationRegistrations: FoundationStandIn {
  let table = ForeignTable(nil)
  private weak var object: KeyValueObject?
  private let type: KeyValueObject.Type

  init(of object: KeyValueObject) {
    self.object = object
    type = Swift.type(of: object)
  }

  // The object is deallocated, and what it was registered with on paths isn't.
  deinit { _ = table.die(type, hasOwnStorage: false, keepsFoundationStorage: true) }

  func willChange(_ key: String, _ mutation: Mutation) {
    if let object { table.begin(key, object, mutation) }
  }

  func didChange(_ key: String, _ mutation: Mutation) {
    if let object { table.end(key, object) }
  }

  func hasSetter(_ key: String) -> Bool { false }
}
#endif
