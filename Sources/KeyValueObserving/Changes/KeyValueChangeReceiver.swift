#if !canImport(ObjectiveC)
/// What takes the changes of a registration as they are, without a dictionary, in the place of its observer.
///
/// The registration holds it. It is called for each change, whether the observer is alive or not: it answers for that.
package protocol KeyValueChangeReceiver: AnyObject {
  /// Takes a change for a receiver of the class; told to the class, so that the call needs no reference more.
  static func receive(_ change: borrowing KeyValueChange, for receiver: Unmanaged<AnyObject>)

  /// The object of the registration has died, and the registration has ended with it.
  func observedObjectDied()
}
#endif
