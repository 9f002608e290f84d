extension KeyValueObject {
  /// The registrations of observers that a change of this object may notify, one line for each, in the order in which they
  /// were made; empty if there are none.
  ///
  /// A line names the observer, the object at which the key path begins, the key path, the options, and the form of
  /// observing:
  ///
  ///     <Cover 0x…> observes <Album 0x…> -> title (new, old), on the thread of the change, with a typed handler
  ///     <Shelf 0x…> observes <Artist 0x…> -> album.title (no options), on the main actor, with a block
  ///
  /// The second is that of a key path that leads through this object. A registration of a controller shows the controller's
  /// observer. Tracking by SwiftUI and `withObservationTracking` isn't registered with the object, so it isn't shown.
  ///
  /// It is meant for people: print it in the debugger. Its text may change.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of registrations.
  public final var observersDescription: String {
    let own = observationInfoIfMade.map { info in
      info.allObservances.map { observance in
        let root = debugReference(to: observance.root(at: self, info), else: "a deallocated object")
        return "\(observance.observerName) observes \(root) -> \(observance.details)"
      }
    }
    return ((own ?? []) + registrationsOfFoundation).joined(separator: "\n")
  }
}
