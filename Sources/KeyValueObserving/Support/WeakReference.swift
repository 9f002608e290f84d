/// A weak reference that is asked for each notification.
///
/// On Apple platforms it is Swift's own. Elsewhere it does without the table that the runtime keeps beside an object with
/// weak references, which makes every later retain and release of the object slow. In exchange the memory of a dead
/// object stays as long as the reference.
package struct WeakReference: @unchecked Sendable {
  #if canImport(ObjectiveC)
  package private(set) weak var object: AnyObject?

  package init(_ object: AnyObject?) {
    self.object = object
  }
  #else
  // Keeps the memory, not the object: so the address is never that of another. It isn't followed from here.
  private unowned let memory: AnyObject?
  private let address: Unmanaged<AnyObject>?
  /// Swift's own, where the runtime can't be asked.
  private weak let reference: AnyObject?

  package init(_ object: AnyObject?) {
    let isAsked = tryRetain != nil
    memory = isAsked ? object : nil
    address = isAsked ? object.map(Unmanaged.passUnretained) : nil
    reference = isAsked ? nil : object
  }

  /// The object, unless its `deinit` has begun.
  package var object: AnyObject? {
    guard let tryRetain else { return reference }
    return address.flatMap { tryRetain($0.toOpaque()) }.map { Unmanaged.fromOpaque($0).takeRetainedValue() }
  }
  #endif
}
