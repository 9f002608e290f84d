/// The registration of an observation with an object that the engine doesn't observe, by name and context.
///
/// It may end at any time, even before it is made.
///
/// - Thread safety: The state is guarded by its lock.
final class ContextRegistration: Sendable {
  private struct State {
    var number: UInt = 0
    /// Whether the registration is made, and no caller has begun to remove it.
    var isMade = false
    var hasEnded = false
  }

  private let state = LockedState(State())

  /// The context pointer, which is a number.
  var context: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: state.withLock { $0.number }) }

  /// Sets the number that represents the observation in the context pointer.
  ///
  /// - Returns: Whether to register; false if the observation has ended already.
  func begin(_ number: UInt) -> Bool {
    state.withLock { state in
      state.number = number
      return !state.hasEnded
    }
  }

  /// Notes that the registration is made.
  ///
  /// - Returns: Whether it is still needed. If not, the observation ended meanwhile, and the caller must remove it.
  func didRegister() -> Bool {
    state.withLock { state in
      state.isMade = !state.hasEnded
      return state.isMade
    }
  }

  /// Ends the registration.
  ///
  /// - Parameter removes: Whether the caller can remove it. If not, another caller may do so later.
  /// - Returns: The number, 0 if there is none yet; and whether the caller must remove the registration.
  func end(removes: Bool) -> (number: UInt, mustRemove: Bool) {
    state.withLock { state in
      state.hasEnded = true
      guard removes else { return (state.number, false) }
      defer { state.isMade = false }
      return (state.number, state.isMade)
    }
  }
}
