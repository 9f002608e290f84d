extension KVOController {
  /// The observations of the controller, in no particular order: a snapshot, of which an observation may end at any time.
  ///
  /// ``debugDescription`` prints them. Both include those of a controller without an observer, which aren't valid,
  /// because nothing is called for them.
  ///
  /// - Complexity: Linear in the number of the controller's observations.
  public var observations: [KVOObservation] { store.all.map { KVOObservation($0) } }
}
