/// The program: a short meeting, which a view tells of line by line.
@main
struct MeetingCommand {
  static func main() {
    let meeting = Meeting()
    let view = MeetingView(of: meeting)
    let ada = Participant("Ada")
    let ben = Participant("Ben")

    meeting.join(ada)
    ada.isHost = true
    ada.hasMicrophone = true

    meeting.join(ben)
    ben.hasCamera = true
    ben.hasCamera = true  // Notifies as well; the view compares, and says nothing.
    ben.hasMicrophone = true

    ada.isHost = false
    ben.isHost = true
    meeting.leave(ada)
    ada.hasMicrophone = false  // Nobody listens to her any more.

    meeting.join(ada)  // Bound anew.
    ada.hasCamera = true
    meeting.participants = []
    withExtendedLifetime(view) {}
  }
}
