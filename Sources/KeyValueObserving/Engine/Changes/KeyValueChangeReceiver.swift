#if !canImport(ObjectiveC)
/// A type that receives the changes of a registration directly, instead of the observer, without a dictionary.
///
/// The registration retains it. It is called for each change, even if the observer is deallocated.
package protocol KeyValueChangeReceiver: AnyObject {
  /// Delivers a change to a receiver. It is static so that the receiver isn't retained for the call.
  static func receive(_ change: borrowing KeyValueChange, for receiver: Unmanaged<AnyObject>)

  /// Called when the observed object is deallocated, which has ended the registration.
  func observedObjectDied()
}
#endif
