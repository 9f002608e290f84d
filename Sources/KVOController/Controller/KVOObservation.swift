/// One observation of a ``KVOController``: what it observes, and how to end it.
///
/// The token retains neither the controller nor the object, and discarding it has no effect on the observation.
///
/// ## Threads
/// You can call every member on any thread. A token isn't `Sendable`, because ending an observation releases what its
/// handler captures.
#if canImport(ObjectiveC)
@objc(KVOObservation)
#endif
public final class KVOObservation: NSObject {
  /// The path of the observation; nil for several, or none.
  private let path: ObservedPath?
  /// The options with which the observation began.
  public let options: NSKeyValueObservingOptions
  /// The identifier that was passed to `observe`.
  public let identifier: AnyHashable?
  private let reference: WeakReference
  /// The address of the observation; nil for several, or none.
  private let address: ObjectIdentifier?
  /// The observations of several key paths that this is a token of.
  private let parts: [KVOObservation]

  /// Creates a token of an observation.
  init(_ info: KVOInfo) {
    path = info.path
    options = if case .elements(_, _, let options, _) = info.identity { options } else { info.options }
    identifier = info.identity.identifier
    reference = WeakReference(info)
    address = ObjectIdentifier(info)
    parts = []
    super.init()
  }

  /// Creates a token of observations that began with one call.
  init(_ infos: [KVOInfo], _ options: NSKeyValueObservingOptions) {
    path = nil
    self.options = options
    identifier = infos.first?.identity.identifier
    reference = WeakReference(nil)
    address = nil
    parts = infos.map { KVOObservation($0) }
    super.init()
  }

  private var info: KVOInfo? { reference.object.map { unsafeDowncast($0, to: KVOInfo.self) } }

  /// What is retained for the observation while it goes on.
  var retained: [AnyObject?] { [info, object] }

  /// Ends the observation. Does nothing if it has ended; a newer observation of the same key path isn't affected.
  ///
  /// After a call on the actor on which the handler runs, the handler isn't called again. After a call elsewhere, a
  /// handler that is already being called on another thread may still finish.
  ///
  /// - Complexity: Logarithmic in the number of observers of a key, linear in the number of keys of all key paths.
  public func invalidate() {
    if let info { info.store.end(info) }
    for part in parts { part.invalidate() }
  }

  /// Whether the observation is active: false once it has ended, or the object, the controller, or the observer is
  /// deallocated.
  public var isValid: Bool { info?.isLive ?? parts.contains(where: \.isValid) }

  /// Whether the observation has ended, even if its observer still exists.
  var hasEnded: Bool { info?.hasEnded ?? parts.allSatisfy(\.hasEnded) }

  /// The value at the end of the path at this moment; nil if it can't be read, or if the observation has ended.
  var currentValue: ChangedValue? {
    guard let info, let object = info.store.object(of: info) else { return nil }
    return info.valueNow(at: object)
  }

  /// The observed object; nil once the observation has ended.
  public var object: AnyObject? {
    guard let info else { return parts.lazy.compactMap(\.object).first }
    return info.hasEnded ? nil : info.store.object(of: info)
  }

  /// The observed key path, as keys joined by dots; several are joined by a comma and a space.
  public var keyPath: String { path?.currentName ?? parts.map(\.keyPath).joined(separator: ", ") }

  /// Whether `object` is a token of the same observation.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KVOObservation else { return false }
    return self === other || (address == other.address && info === other.info && Set(parts) == Set(other.parts))
  }

  /// A number that tokens of the same observation share.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(address)
    hasher.combine(Set(parts))
    return hasher.finalize()
  }

  /// The object, the key path, the options, the identifier, and where changes are delivered.
  public override var description: String {
    guard !hasEnded else { return "an observation of \(keyPath) that has ended" }
    guard let info else { return parts.map(\.description).joined(separator: "\n") }
    return "\(debugReference(to: object, else: "an object in its deinit")) -> \(info.text)"
  }
}
