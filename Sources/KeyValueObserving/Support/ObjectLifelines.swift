/// Something that ends when an object is deallocated that it observes without retaining it.
package protocol ObjectLifeline: AnyObject {
  /// Ends everything that concerns the object.
  ///
  /// The object is in its `deinit` or past it: it must not be retained, and no weak reference to it can be formed.
  ///
  /// - Parameters:
  ///   - object: The object, borrowed for the call.
  ///   - isReadable: Whether the object's properties still exist. If they don't, nothing may be read from it, nor may
  ///     anything be called that reads: Foundation reads the first key of a dotted key path to remove its observer.
  func objectIsDeallocated(_ object: Unmanaged<KeyValueObservable>, isReadable: Bool)
}

/// The lifelines that one object keeps: they end when it is deallocated.
///
/// A ``KeyValueObject`` ends them in its own `deinit`, by ``end(of:)``, while its properties still exist. Any other object
/// releases them as an associated object, after its properties.
///
/// - Thread safety: The lifelines are guarded by the lock.
package final class ObjectLifelines: @unchecked Sendable {
  private static let key = AssociationKey()

  private let object: Unmanaged<KeyValueObservable>
  private let lock = UnfairLock()
  private var lifelines: [ObjectIdentifier: Entry] = [:]

  private struct Entry {
    let lifeline: any ObjectLifeline
    /// How often it was inserted, less how often it was removed. Threads that do both at once may do it in any order.
    var count = 0
  }

  private init(_ object: KeyValueObservable) {
    self.object = .passUnretained(object)
  }

  deinit {
    end(isReadable: false)
  }

  /// Has `object` end the lifeline when it is deallocated, and retain it until then.
  package static func insert(_ lifeline: any ObjectLifeline, of object: KeyValueObservable) {
    count(lifeline, of: object, by: 1)
  }

  /// Has `object` release the lifeline without ending it, if it was removed as often as it was inserted.
  package static func remove(_ lifeline: any ObjectLifeline, of object: KeyValueObservable) {
    count(lifeline, of: object, by: -1)
  }

  private static func count(_ lifeline: any ObjectLifeline, of object: KeyValueObservable, by difference: Int) {
    let present = object.associatedObject(key) ?? object.associate(ObjectLifelines(object), key, replacing: false)
    guard let lifelines = present as? ObjectLifelines else { return }
    let identifier = ObjectIdentifier(lifeline)
    lifelines.lock.withLock {
      // Nothing is released here that the caller doesn't hold.
      lifelines.lifelines[identifier, default: Entry(lifeline: lifeline)].count += difference
      if lifelines.lifelines[identifier]?.count == 0 { lifelines.lifelines[identifier] = nil }
    }
  }

  /// Ends the lifelines of an object whose `deinit` has begun, while its properties can still be read.
  package static func end(of object: KeyValueObservable) {
    (object.associatedObject(key) as? ObjectLifelines)?.end(isReadable: true)
  }

  private func end(isReadable: Bool) {
    let ended = lock.withLock {
      defer { lifelines = [:] }
      return lifelines
    }
    for entry in ended.values { entry.lifeline.objectIsDeallocated(object, isReadable: isReadable) }
  }
}
