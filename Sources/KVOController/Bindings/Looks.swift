/// When a binding looks at its properties: one thread at a time, and again after its own assignments have caused changes. It is a
/// value without a lock, whose owner guards it, and does what the methods return.
package struct Looks {
  package struct Side: OptionSet, Hashable {
    package let rawValue: UInt8
    package static let (source, target) = (Side(rawValue: 1), Side(rawValue: 2))

    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// The number of looks after which two properties that can't agree are left as they are.
  private static var most: Int { 100 }

  /// The thread that looks and assigns.
  private var thread: UInt?
  private var count = 0
  /// What has changed since the look under way began; nil if nothing has.
  private var next: Side?

  package init() {}

  /// Takes note of a change of one side.
  ///
  /// - Returns: The sides for the look to begin now: those that something else than the own assignments has changed since the last
  ///   look. If there is none, only what can be compared is assigned. nil if a look is under way, which another one follows.
  package mutating func begin(after side: Side, on thread: UInt) -> Side? {
    var look = next ?? []
    if self.thread != thread { look.insert(side) }
    guard self.thread == nil else {
      next = look
      return nil
    }
    (self.thread, count) = (thread, 1)
    return look
  }

  /// Ends a look. Returns the sides for the one that follows.
  package mutating func end() -> Side? {
    guard let look = next, !look.isEmpty || count < Self.most else {
      (thread, next) = (nil, nil)
      return nil
    }
    count = look.isEmpty ? count + 1 : 1
    next = nil
    return look
  }
}
