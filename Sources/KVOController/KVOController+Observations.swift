extension KVOController {
  /// The observations of the controller, in no particular order: a snapshot, of which an observation may end at any time.
  ///
  /// ``debugDescription`` prints them. Both include those of a controller without an observer, which aren't valid,
  /// because nothing is called for them.
  ///
  /// - Complexity: Linear in the number of the controller's observations.
  public var observations: [KVOObservation] { store.all.flatMap { $0.infos.map { KVOObservation($0) } } }

  /// The observations in words, in alphabetical order.
  var observationLines: [String] {
    store.all.flatMap { object, infos in
      let object = object.map { "<\(debugName(of: $0))>" } ?? "an object in its deinit"
      return infos.map { "\(object) -> \($0.text)" }
    }
    .sorted()
  }
}
