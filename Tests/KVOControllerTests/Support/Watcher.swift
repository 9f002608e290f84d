import KVOController
import _KVOTestSupport

/// The values that an observer received in one call; nil for those that its form doesn't have.
struct Call: Equatable {
  var keyPath: String?
  var object: ObjectIdentifier?
  var change: Change?
  var context: Int?

  init(keyPath: String? = nil, object: AnyObject? = nil, change: Change? = nil, context: Int? = nil) {
    self.keyPath = keyPath
    self.object = object.map { ObjectIdentifier($0) }
    self.change = change
    self.context = context
  }
}

/// An observer that can be called in every form, and records the calls.
class Watcher: KeyValueObject, @unchecked Sendable {
  @Observed var mood = 0
  @Observed var circle: Circle?
  /// Runs inside each call, once it is noted.
  var whenCalled: ((Watcher) -> Void)?
  private let noted = Locked<[Call]>([])

  var calls: [Call] { noted.current }
  var count: Int { noted.current.count }
  var changes: [Change?] { calls.map(\.change) }

  /// The calls since the last time.
  func take() -> [Call] {
    noted.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }

  func note(_ call: Call) {
    noted.withLock { $0.append(call) }
    whenCalled?(self)
  }

  func redraw() {
    note(Call())
  }

  func update(change: [NSKeyValueChangeKey: Any]) {
    note(Call(change: Change(change)))
  }

  func update(change: [NSKeyValueChangeKey: Any], object: Any) {
    note(Call(object: object as AnyObject, change: Change(change)))
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    note(
      Call(
        keyPath: keyPath, object: object.map { $0 as AnyObject }, change: Change(change ?? [:]),
        context: Int(bitPattern: context)))
  }
}

/// An observer of a class that has nothing to do with Key-Value Observing.
class PlainWatcher {
  var changes: [Change?] = []
  var objects: [ObjectIdentifier] = []

  func redraw() {
    changes.append(nil)
  }

  func update(change: [NSKeyValueChangeKey: Any]) {
    changes.append(Change(change))
  }

  func update(change: [NSKeyValueChangeKey: Any], object: Any) {
    changes.append(Change(change))
    objects.append(ObjectIdentifier(object as AnyObject))
  }
}
