extension Group {
  /// Everything that is measured, in this order.
  static var all: [Group] {
    [
      .unobserved, .observation, .appending, .observedSets, .severalObservers, .delivery, .registration, .paths,
      .threads, .memory,
      .memoryLeft, .manyObservers, .manyObservations, .growth, .depths, .dependents, .computedSets, .elements,
      .weakReferences, .coding,
    ]
  }
}
