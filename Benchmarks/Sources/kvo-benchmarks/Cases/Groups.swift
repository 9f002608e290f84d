extension Group {
  /// Everything that is measured, in this order.
  static var all: [Group] {
    [
      .unobserved, .observation, .appending, .observedSets, .severalObservers, .registration, .paths, .threads, .memory,
      .isolation, .manyObservers, .manyObservations, .growth, .depths, .dependents,
    ]
  }
}
