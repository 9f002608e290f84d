/// The program: a short meeting. Each statement is shown next to what the view makes of it.
@main
struct MeetingCommand {
  static func main() {
    let transcript = Transcript()
    let meeting = Meeting()
    let ada = Participant("Ada")
    let ben = Participant("Ben")
    var view: MeetingView? = MeetingView(of: meeting, in: transcript)

    transcript.run("meeting.join(ada)") { meeting.join(ada) }
    transcript.run("ada.isHost = true") { ada.isHost = true }
    transcript.run("meeting.join(ben)") { meeting.join(ben) }
    transcript.run("ben.hasCamera = true") { ben.hasCamera = true }
    transcript.run("ben.hasCamera = true", silence: "the same value again") { ben.hasCamera = true }
    transcript.run("ada.isHost = false; ben.isHost = true") {
      ada.isHost = false
      ben.isHost = true
    }

    transcript.run("meeting.leave(ada)") { meeting.leave(ada) }
    transcript.run("ada.hasMicrophone = true", silence: "not observed anymore") { ada.hasMicrophone = true }
    transcript.run("meeting.join(ada)") { meeting.join(ada) }
    transcript.run("ada.hasMicrophone = false") { ada.hasMicrophone = false }

    transcript.run("view = nil", silence: "ends every observation") { view = nil }
    transcript.run("meeting.participants = []", silence: "nobody observes it") { meeting.participants = [] }
    withExtendedLifetime(view) {}
  }
}
