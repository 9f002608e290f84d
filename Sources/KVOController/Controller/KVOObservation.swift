/// A token that ends one observation when you call ``invalidate()``. Releasing the token, as by `token = nil`, doesn't end it.
///
/// The observation goes on until its observer, its controller, or the object is deallocated. The token retains neither the
/// controller nor the object. You can call every member on any thread. A token isn't `Sendable`, because ending an observation
/// releases what its handler captures.
public final class KVOObservation: NSObject {
  private let path: ObservedPath
  /// The options with which the observation began.
  public let options: NSKeyValueObservingOptions
  /// The identifier that was passed to `observe`.
  public let identifier: AnyHashable?
  private let reference: WeakReference
  // Keeps the memory of the observation, so that its address is that of no other. It isn't read.
  private unowned let memory: KVOInfo?

  /// - Parameter path: The path, if it isn't just that of `info`; there is no `info` if there is nothing to observe.
  init(_ info: KVOInfo?, path: ObservedPath) {
    self.path = path
    options = info?.requestedOptions ?? []
    identifier = info?.identifier
    reference = WeakReference(info)
    memory = info
    super.init()
  }

  convenience init(_ info: KVOInfo) { self.init(info, path: info.path) }

  private var info: KVOInfo? { reference.object.map { unsafeDowncast($0, to: KVOInfo.self) } }

  /// What is retained for the observation while it goes on.
  var retained: [AnyObject?] { [info, object] }

  /// Ends the observation. Does nothing if it has ended; a newer observation of the same key path isn't affected.
  ///
  /// After a call on the actor on which the handler runs, the handler isn't called again. After a call on another
  /// thread, a handler that is already being called on another thread may still finish.
  public func invalidate() {
    if let info { info.store.end(info) }
  }

  /// Whether the observation is active: false once it has ended, or the object, the controller, or the observer is
  /// deallocated.
  public var isValid: Bool { info?.isLive == true }

  /// The observed object; nil once the observation has ended.
  public var object: AnyObject? {
    guard let info, !info.hasEnded else { return nil }
    return info.store.object(of: info)
  }

  /// The observed key path, as keys joined by dots; several are joined by a comma and a space.
  public var keyPath: String { path.currentName }

  /// Whether `object` is a token of the same observation.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KVOObservation else { return false }
    return self === other || (reference.identity != nil && reference.identity == other.reference.identity)
  }

  /// A number that tokens of the same observation share.
  public override var hash: Int { (reference.identity ?? ObjectIdentifier(self)).hashValue }

  /// The object, the key path, the options, the identifier, and where changes are delivered.
  public override var description: String {
    guard let info, !info.hasEnded else { return "an observation of \(keyPath) that has ended" }
    return "\(debugReference(to: object, else: "an object in its deinit")) -> \(info.text)"
  }
}
