import KVOController

/// Reports who joins and leaves a meeting, and what the participants do while they are in it.
///
/// It observes the meeting for as long as the view exists, and a participant for as long as they are in the meeting.
nonisolated final class MeetingView: KeyValueObject {
  private let transcript: Transcript

  init(of meeting: Meeting, in transcript: Transcript) {
    self.transcript = transcript
    super.init()
    observe(meeting, \.participants) { view, _, change in
      view.update(from: change.oldValue ?? [], to: change.newValue ?? [])
    }
  }

  private func update(from before: [Participant], to now: [Participant]) {
    for participant in before where !now.contains(participant) {
      kvoController.unobserve(participant)  // Every key path of this participant.
      transcript.report("\(participant.name) left")
    }
    for participant in now where !before.contains(participant) {
      transcript.report("\(participant.name) joined")
      observe(participant, \.isHost, on: "is the host now", off: "isn't the host anymore")
      observe(participant, \.hasMicrophone, on: "unmuted", off: "muted")
      observe(participant, \.hasCamera, on: "turned on the camera", off: "turned off the camera")
    }
  }

  private func observe(_ participant: Participant, _ keyPath: KeyPath<Participant, Bool>, on: String, off: String) {
    kvoController.observe(participant, keyPath) { (view: MeetingView, participant, change) in
      // Every assignment notifies, even if the value is equal.
      guard let isOn = change.newValue, isOn != change.oldValue else { return }
      view.transcript.report("\(participant.name) \(isOn ? on : off)")
    }
  }
}
