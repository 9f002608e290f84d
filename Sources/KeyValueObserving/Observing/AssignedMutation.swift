/// The mutation for which a proxy calls the setter of a property, and of which observers are notified instead of a setting.
final class AssignedMutation {
  private let storage: UnsafeRawPointer
  /// nil once it was taken: what the setter's `didSet` changes is another change.
  private var mutation: Mutation?

  private init(_ storage: UnsafeRawPointer, _ mutation: Mutation) {
    self.storage = storage
    self.mutation = mutation
  }

  /// Calls `body`, which sets the property at an address.
  static func run(_ mutation: Mutation, at storage: UnsafeRawPointer, _ body: () -> Void) {
    _ = ThreadFrame.run(.assigning, AssignedMutation(storage, mutation), body)
  }

  /// The mutation that the setter of the property at an address makes on this thread.
  static func taken(at storage: UnsafeRawPointer) -> Mutation {
    var taken: Mutation?
    _ = ThreadFrame.contains { frame in
      if frame.purpose == .assigning, let subject = frame.subject {
        // The subject of such a frame is of this class.
        let assigned = unsafeDowncast(subject.takeUnretainedValue(), to: AssignedMutation.self)
        if assigned.storage == storage {
          taken = assigned.mutation
          assigned.mutation = nil
          return true
        }
      }
      return frame.purpose == .shield
    }
    return taken ?? .setting
  }
}
