/// A type that is notified when an object that it doesn't retain is deallocated.
protocol ObjectLifeline: AnyObject {
  /// Ends all observations of the object, whose `deinit` has begun, and may have ended: it must not be retained, and no
  /// weak reference to it can be formed. Its properties must not be read, not even by Foundation, which reads the first
  /// key of a dotted key path to remove an observer of it.
  func objectIsDeallocated(_ object: DyingObject)
}

/// An object that may be in its `deinit`, in which nothing may retain it.
struct DyingObject {
  fileprivate let object: Unmanaged<KeyValueObservable>

  var identity: ObjectIdentifier { unsafeBitCast(object.toOpaque(), to: ObjectIdentifier.self) }

  fileprivate init(object: Unmanaged<KeyValueObservable>) { self.object = object }

  init(_ object: KeyValueObservable) { self.init(object: .passUnretained(object)) }

  /// The object with an identity, which must exist whenever it is borrowed.
  init?(_ identity: ObjectIdentifier) {
    guard let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: identity)) else { return nil }
    self.init(object: .fromOpaque(address))
  }

  /// Calls `body` with the object, borrowed for the call.
  func borrowed(_ body: (KeyValueObservable) -> Void) { object._withUnsafeGuaranteedRef(body) }
}

/// The lifelines of one object, which are notified when it is deallocated. An object releases this as an associated
/// object, after its properties.
///
/// - Thread safety: The lifelines are guarded by the lock.
final class ObjectLifelines: LockedObject, @unchecked Sendable {
  private static let key = AssociationKey()

  private let object: Unmanaged<KeyValueObservable>
  private var lifelines: [ObjectIdentifier: Entry] = [:]

  private struct Entry {
    let lifeline: any ObjectLifeline
    /// The number of insertions minus the number of removals, which threads may do in any order.
    var count = 0
  }

  private init(_ object: KeyValueObservable) {
    self.object = .passUnretained(object)
  }

  deinit {
    for entry in lifelines.values { entry.lifeline.objectIsDeallocated(DyingObject(object: object)) }
  }

  /// Adds a lifeline, which `object` retains, and notifies when it is deallocated.
  static func insert(_ lifeline: any ObjectLifeline, of object: KeyValueObservable) {
    count(lifeline, of: object, by: 1)
  }

  /// Removes a lifeline, without notifying it, when it was removed as often as it was inserted. Does nothing for an
  /// object whose `deinit` has begun, which notifies all of its lifelines. Nothing may be associated with it any
  /// longer.
  static func remove(_ lifeline: any ObjectLifeline, of object: KeyValueObservable) {
    guard !isInDeinit(object) else { return }
    count(lifeline, of: object, by: -1)
  }

  private static func count(_ lifeline: any ObjectLifeline, of object: KeyValueObservable, by difference: Int) {
    let present = object.associatedObject(key) ?? object.associate(ObjectLifelines(object), key, replacing: false)
    guard let lifelines = present as? ObjectLifelines else { return }
    let identifier = ObjectIdentifier(lifeline)
    lifelines.withLock {
      // Nothing is deallocated under the lock, because the caller retains the lifeline.
      lifelines.lifelines[identifier, default: Entry(lifeline: lifeline)].count += difference
      if lifelines.lifelines[identifier]?.count == 0 { lifelines.lifelines[identifier] = nil }
    }
  }
}

/// A key for an associated object, identified by its address, as Objective-C's runtime requires. Declare a key as a
/// static constant, which is never deallocated.
package final class AssociationKey: Sendable {
  package init() {}

  var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
}
