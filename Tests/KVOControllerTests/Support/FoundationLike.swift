import KVOController

/// An object with the manners of Foundation's Key-Value Observing that a controller has to cope with.
///
/// The initial notification is sent before the registration stands, and an observer of a dotted key path is removed by
/// reading the path's first key. Both affect a controller only if it registers as with Foundation (`FoundationWay`).
class FoundationLike: KeyValueObject, @unchecked Sendable {
  @Observed var number = 0
  @Observed var next: FoundationLike?
  /// Runs when the initial notification was sent, or would have been, and the registration doesn't stand yet.
  var whenAboutToRegister: ((FoundationLike) -> Void)?
  var whenReleased: ((FoundationLike) -> Void)?
  /// How many observers were removed by reading a key when the object's properties were gone.
  private let lateReads: Locked<Int>

  init(lateReads: Locked<Int> = Locked(0)) {
    self.lateReads = lateReads
  }

  deinit {
    whenReleased?(self)
  }

  override func addObserver(
    _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    if options.contains(.initial) {
      var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
      if options.contains(.new) { change[.newKey] = value(forKeyPath: keyPath) ?? NSNull() }
      observer.observeValue(forKeyPath: keyPath, of: self, change: change, context: context)
    }
    whenAboutToRegister?(self)
    super.addObserver(observer, forKeyPath: keyPath, options: options.subtracting(.initial), context: context)
  }

  override func removeObserver(
    _ observer: KeyValueObservable, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    if let dot = keyPath.firstIndex(of: ".") {
      // A deallocated object has no observation info any more; on Apple platforms it would have no properties either.
      if observationInfo == nil { lateReads.add() }
      _ = value(forKey: String(keyPath[..<dot]))
    }
    super.removeObserver(observer, forKeyPath: keyPath, context: context)
  }
}
