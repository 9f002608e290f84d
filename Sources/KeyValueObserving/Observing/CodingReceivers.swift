/// The observances that are notified of a change for which Key-Value Coding calls a setter. On the same thread they aren't
/// notified of the changes that the setter makes; changes that observers make meanwhile are other ones.
final class CodingReceivers {
  private let observances: Set<ObjectIdentifier>

  init(_ observances: [Observance]) { self.observances = Set(observances.map(ObjectIdentifier.init)) }

  /// Whether Key-Value Coding is calling a setter on this thread, and the observance is notified afterwards.
  static func contain(_ observance: Observance) -> Bool {
    var isContained = false
    _ = ThreadFrame.contains { frame in
      if frame.purpose == .coding, let subject = frame.subject {
        // The subject of such a frame is of this class.
        let receivers = unsafeDowncast(subject.takeUnretainedValue(), to: CodingReceivers.self)
        isContained = isContained || receivers.observances.contains(ObjectIdentifier(observance))
      }
      return frame.purpose == .shield
    }
    return isContained
  }
}
