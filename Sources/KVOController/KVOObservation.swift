/// One observation of a ``KVOController``, for whoever wants to end just this one.
///
/// It holds neither controller nor object, and dropping it changes nothing. It may be used on any thread.
public final class KVOObservation: Sendable {
  private let reference: WeakReference

  init(_ info: KVOInfo) {
    reference = WeakReference(info)
  }

  private var info: KVOInfo? { reference.object.map { unsafeDowncast($0, to: KVOInfo.self) } }

  /// Ends the observation, if it hasn't ended; a later one of the same key path isn't touched.
  ///
  /// Once this was called on the actor from which `observe` was, the handler isn't called any more.
  public func invalidate() {
    guard let info else { return }
    info.store?.end(info)
  }

  /// Whether the observation goes on: false once it was ended in whatever way, or one of those whom it concerns has
  /// died.
  public var isValid: Bool {
    info?.isLive ?? false
  }
}
