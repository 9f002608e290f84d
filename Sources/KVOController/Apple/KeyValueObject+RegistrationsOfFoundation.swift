#if canImport(ObjectiveC)
extension KeyValueObject {
  /// The registrations with Foundation in its own words.
  final var registrationsOfFoundation: [String] {
    // What it points to is an object, which describes each registration in a line of its own, for debuggers.
    guard isObservedByFoundation, let info = observationInfo else { return [] }
    let text = Unmanaged<NSObject>.fromOpaque(info).takeUnretainedValue().debugDescription
    return text.split(separator: "\n").filter { $0.contains("Key path:") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
#endif
