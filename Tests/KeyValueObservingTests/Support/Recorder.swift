import KeyValueObserving
import _KVOTestSupport

/// An observer that records all changes.
class Recorder: KeyValueObject, @unchecked Sendable {
  struct Call {
    let keyPath: String?
    let object: ObjectIdentifier?
    let dictionary: [NSKeyValueChangeKey: Any]
    let context: UnsafeMutableRawPointer?

    var change: Change { Change(dictionary) }
    var isPrior: Bool { dictionary[.notificationIsPriorKey] != nil }
  }

  let name: String
  private(set) var calls: [Call] = []
  /// Runs inside each callback, once it is recorded.
  var whenCalled: ((Recorder, Call) -> Void)?

  init(_ name: String = "") {
    self.name = name
  }

  var changes: [Change] { calls.map(\.change) }

  /// The calls since the last time.
  func take() -> [Change] {
    defer { calls = [] }
    return changes
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let call = Call(
      keyPath: keyPath, object: object.map { ObjectIdentifier($0 as AnyObject) }, dictionary: change ?? [:],
      context: context)
    calls.append(call)
    whenCalled?(self, call)
  }
}

extension KeyValueObservable {
  /// Registers this object with the engine as an observer; a context of 0 is nil.
  func observe(
    _ object: KeyValueObservable, _ keyPath: String, _ options: NSKeyValueObservingOptions = [.new, .old],
    context: Int = 0
  ) {
    register(with: object, keyPath, options, context: .number(context))
  }

  /// Ends a registration with just this context; 0 is nil.
  func unobserve(_ object: KeyValueObservable, _ keyPath: String, context: Int = 0) {
    unregister(from: object, keyPath, context: .number(context))
  }

  /// Ends one registration, whatever its context.
  func unobserve(anyContextOf object: KeyValueObservable, _ keyPath: String) {
    unregister(fromAnyContextOf: object, keyPath)
  }
}

/// An observer that ignores all changes.
final class Deaf: KeyValueObject, @unchecked Sendable {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}
}
