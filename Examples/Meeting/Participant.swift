import KVOController

/// A person in a meeting.
nonisolated final class Participant: KeyValueObject {
  let name: String
  @Observed var isHost = false
  @Observed var hasMicrophone = false
  @Observed var hasCamera = false

  init(_ name: String) {
    self.name = name
  }
}

/// The people who are in the meeting now.
nonisolated final class Meeting: KeyValueObject {
  @Observed var participants: [Participant] = []

  func join(_ participant: Participant) {
    participants.append(participant)
  }

  func leave(_ participant: Participant) {
    participants.removeAll { $0 === participant }
  }
}
