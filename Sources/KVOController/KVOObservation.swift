/// A token that cancels one observation of a ``KVOController``.
///
/// The token retains neither the controller nor the object, and discarding it has no effect on the observation. You can
/// use it on any thread.
public final class KVOObservation: KVOInfoToken, @unchecked Sendable {
  let path: ObservedPath
  // Set once, before any other thread sees the token.
  private var reference = WeakReference(nil)

  /// Creates a token that is to be connected with an observation of a path.
  init(_ path: ObservedPath) {
    self.path = path
  }

  func connect(_ info: KVOInfo) {
    reference = WeakReference(info)
  }

  private var info: KVOInfo? { reference.object.map { unsafeDowncast($0, to: KVOInfo.self) } }

  /// Cancels the observation. Does nothing if it has ended; a newer observation of the same key path isn't affected.
  ///
  /// After a call on the actor on which the handler runs, the handler isn't called again. After a call elsewhere, a
  /// handler that is already being called on another thread may still finish.
  public func invalidate() {
    guard let info else { return }
    info.store?.end(info)
  }

  /// Whether the observation is active: false once it has ended, or the object, the controller, or the observer is
  /// deallocated.
  public var isValid: Bool {
    info?.isLive ?? false
  }
}

extension KVOObservation {
  /// The token of an observation.
  static func of(_ info: KVOInfo) -> KVOObservation {
    if let token = info.receiver.token { return unsafeDowncast(token, to: KVOObservation.self) }
    let token = KVOObservation(info.path)
    token.connect(info)
    return token
  }
}
