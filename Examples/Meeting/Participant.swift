import KVOController

/// A class that conforms isn't isolated to the main actor, as other classes of this module are.
///
/// From Swift 6.3 on, `nonisolated` before the class does the same, but not for its extensions.
nonisolated protocol Portable: SendableMetatype {}

/// A person in a meeting.
final class Participant: KeyValueObject, Portable {
  let name: String
  @Observed var isHost = false
  @Observed var hasMicrophone = false
  @Observed var hasCamera = false

  init(_ name: String) {
    self.name = name
  }
}

/// The people who are in the meeting now.
final class Meeting: KeyValueObject, Portable {
  @Observed var participants: [Participant] = []

  func join(_ participant: Participant) {
    participants.append(participant)
  }

  func leave(_ participant: Participant) {
    participants.removeAll { $0 === participant }
  }
}
