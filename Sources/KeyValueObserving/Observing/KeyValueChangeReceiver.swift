#if !canImport(ObjectiveC)
/// An observer's class that takes changes as they are, without a dictionary.
///
/// The class is told, not the observer, so that notifications of different objects share no reference count. An
/// observer of such a class is never checked for being alive: its class answers for that.
package protocol KeyValueChangeReceiver: KeyValueObject {
  static func receive(_ change: KeyValueChange, context: UnsafeMutableRawPointer?)

  /// The object of a registration has died, and the registration has ended with it.
  static func observedObjectDied(context: UnsafeMutableRawPointer?)
}
#endif
