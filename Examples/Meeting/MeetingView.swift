import KVOController

/// Tells what happens in a meeting: who comes and goes, and what those who are there do.
///
/// It observes the meeting as long as it lives, and a participant as long as that is in the meeting.
final class MeetingView: KeyValueObject {
  init(of meeting: Meeting) {
    super.init()
    kvoController.observe(meeting, \.participants) { (view: MeetingView, meeting, change) in
      let before = change.oldValue ?? []
      let now = change.newValue ?? []
      for participant in before where !now.contains(participant) { view.unbind(participant) }
      for participant in now where !before.contains(participant) { view.bind(participant) }
      print("  in the meeting:", now.isEmpty ? "nobody" : now.map(\.name).joined(separator: ", "))
    }
  }

  private func bind(_ participant: Participant) {
    print("\(participant.name) joined")
    // One block for several key paths: the change tells which of them it is.
    kvoController.observe(
      participant, keyPaths: ["isHost", "hasMicrophone", "hasCamera"], options: [.old, .new]
    ) { view, participant, change in
      guard let view = view as? MeetingView, let participant = participant as? Participant,
        let keyPath = change[.keyPathKey] as? String, let isOn = change[.newKey] as? Bool,
        isOn != change[.oldKey] as? Bool
      else { return }
      view.tell(participant, keyPath, isOn)
    }
  }

  /// Ends the observation of every key path of the participant, who may live on.
  private func unbind(_ participant: Participant) {
    kvoController.unobserve(participant)
    print("\(participant.name) left")
  }

  private func tell(_ participant: Participant, _ keyPath: String, _ isOn: Bool) {
    switch keyPath {
    case "isHost": print("\(participant.name) is \(isOn ? "the host now" : "no longer the host")")
    case "hasMicrophone": print("\(participant.name) turned the microphone \(isOn ? "on" : "off")")
    default: print("\(participant.name) turned the camera \(isOn ? "on" : "off")")
    }
  }
}
