extension KVOController {
  /// Whether each observation that begins, ends, or is ignored prints a line to the standard error stream, for debugging.
  ///
  /// It is true at the start of the process if the environment variable `KVO_LOG` is 1. A line names the observer, the
  /// object, the key path with its options, where changes are delivered, and the file and line of the call of a typed form.
  public static var logsObservations: Bool {
    get { ObservationLog.isOn }
    set { ObservationLog.turn(on: newValue) }
  }
}
