// Support for objects whose class conforms to `Observable`: their reads are reported, and from the first one on their changes.

#if canImport(Observation)
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
private final class ObservableObjectInfo: ObservationInfo, @unchecked Sendable {
  private let tracked = TrackedProperties()

  // Observances of keys retain this info.
  override func objectDies() {
    super.objectDies()
    tracked.end()
  }

  override func reportRead(ofPropertyAt index: Int, isIndependent: Bool) {
    if isIndependent { tracked.noteIndependent(index) }
    tracked.access(index)
  }

  override func reportRead(ofIndependentAt offset: Int) -> Bool {
    guard let index = properties[indexAtOffset: offset], tracked.isIndependent(index) else { return false }
    tracked.access(index)
    return true
  }

  /// Observes the key while it is tracked.
  override func reportRead(ofDependent name: String, of object: KeyValueObject) {
    tracked.withKey(name) { key in
      key.access {
        // The object retains the key, which retains the observance.
        let observance = ClosureObservance(.named(name, of: object), options: .prior, .tracking) { [weak key] in
          key?.report($0)
        }
        observance.begin(at: object)
        return { observance.end() }
      }
    }
  }

  override func reportChange(_ edge: KeyValueObject.Edge, ofPropertyAt index: Int) { tracked.reportChange(edge, index) }
}
#endif

extension KeyValueObject {
  final var infoClass: ObservationInfo.Type {
    #if canImport(Observation)
    if isObservable, #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *) { return ObservableObjectInfo.self }
    #endif
    return ObservationInfo.self
  }
}
