import KVOController
import _KVOTestSupport

/// An object with the manners of Foundation's Key-Value Observing that a controller has to cope with.
///
/// The initial notification is sent before the registration stands, and an observer of a dotted key path is removed by
/// reading the path's first key. Key-Value Coding of a key that it takes for undefined notifies around the call.
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

  /// Isn't declared anywhere, so paths to it are followed by reading.
  var doubled: Int { 2 * number }

  var tripled: Int {
    get { 3 * number }
    set { number = newValue / 3 }
  }

  override class var keyPaths: [String: AnyKeyPath] { ["tripled": \FoundationLike.tripled] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "tripled" ? ["number"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    willChangeValue(forKey: key)
    switch key {
    case "number": number = value as? Int ?? 0
    case "tripled": tripled = value as? Int ?? 0
    default: break
    }
    didChangeValue(forKey: key)
  }

  override func addObserver(
    _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    // The engine also registers for paths without a name, which Foundation never gets to see.
    if options.contains(.initial), !keyPath.hasPrefix("\\") {
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
    if !keyPath.hasPrefix("\\"), let dot = keyPath.firstIndex(of: ".") {
      // A deallocated object has no observation info any more; on Apple platforms it would have no properties either.
      if observationInfo == nil { lateReads.add() }
      _ = value(forKey: String(keyPath[..<dot]))
    }
    super.removeObserver(observer, forKeyPath: keyPath, context: context)
  }
}
