/// A comparison for readers who want to know what the package costs, and not how it does.
struct Summary {
  let group: String
  let subject: String
  let other: String
  /// Names that say what is done, and with what it is compared.
  let name: String
  let otherName: String

  static let all = [
    Summary("unobserved property", "set", "set, plain", "set, unobserved", "a plain property"),
    Summary("unobserved property", "get", "get, plain", "get, unobserved", "a plain property"),
    Summary("set, one observer", "typed handler", "hand", "set, typed handler", "a closure in didSet"),
    Summary(
      "set, one observer", "typed handler of the main actor", "hand", "set, handler of the main actor",
      "a closure in didSet"),
    Summary(
      "set, one observer", "block", "NotificationCenter.post with userInfo", "set, block", "NotificationCenter, post"),
    Summary("set, one observer", "bound property", "typed handler", "set, bound property", "a typed handler"),
    Summary(
      "child.number", "typed handler, leaf set", "typed handler on number", "set the end of \\.child?.number",
      "\\.number"),
    Summary("elements", "set one of 10,000", "set an object", "set one of 10,000 elements", "one object"),
    Summary(
      "observe + unobserve", "typed handler, by its token", "NotificationCenter add + remove",
      "observe and end, typed", "NotificationCenter"),
    Summary(
      "observe + unobserve", "block", "NotificationCenter add + remove", "observe and end, block",
      "NotificationCenter"),
    Summary("Observation", "tracked gets", "tracked gets, @Observable", "get, tracked", "@Observable"),
    Summary(
      "Observation", "set, tracked again each time", "set, tracked again each time, @Observable",
      "set, tracked again", "@Observable"),
  ]

  private init(_ group: String, _ subject: String, _ other: String, _ name: String, _ otherName: String) {
    (self.group, self.subject, self.other) = (group, subject, other)
    (self.name, self.otherName) = (name, otherName)
  }

  func matches(_ row: Row) -> Bool {
    row.subject.group == group && row.subject.name == subject && row.other?.name == other
  }
}
