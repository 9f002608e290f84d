import KVOController

/// One call of an observer; nil for what its form doesn't have. A nil context is 0.
package struct Call: Equatable {
  package let keyPath: String?
  package let object: ObjectIdentifier?
  package let change: Change?
  package let context: Int?
  /// The change as it was received. It isn't compared: `change` has the same entries.
  package let dictionary: [NSKeyValueChangeKey: Any]

  /// A call to expect.
  package init(keyPath: String? = nil, object: AnyObject? = nil, change: Change? = nil, context: Int? = nil) {
    self.keyPath = keyPath
    self.object = object.map { ObjectIdentifier($0) }
    self.change = change
    self.context = context
    dictionary = [:]
  }

  /// A call that was received.
  package init(
    keyPath: String? = nil, object: Any? = nil, dictionary: [NSKeyValueChangeKey: Any], context: Int? = nil
  ) {
    self.keyPath = keyPath
    self.object = object.map { ObjectIdentifier($0 as AnyObject) }
    change = Change(dictionary)
    self.context = context
    self.dictionary = dictionary
  }

  package var isPrior: Bool { dictionary[.notificationIsPriorKey] != nil }

  package static func == (one: Call, other: Call) -> Bool {
    (one.keyPath, one.object, one.change, one.context) == (other.keyPath, other.object, other.change, other.context)
  }
}

/// An observer that can be called in every form, on any thread, and records the calls.
open class Recorder: KeyValueObject, @unchecked Sendable {
  package let name: String
  /// Runs inside each call, once it is recorded.
  package var whenCalled: ((Recorder, Call) -> Void)?
  private let recorded = Locked<[Call]>([])

  package init(_ name: String = "") {
    self.name = name
  }

  package var calls: [Call] { recorded.current }
  package var count: Int { calls.count }
  /// Those of the calls that have one.
  package var changes: [Change] { calls.compactMap(\.change) }

  /// The calls since the last time.
  package func takeCalls() -> [Call] { recorded.take() }

  /// The changes since the last time.
  package func take() -> [Change] { takeCalls().compactMap(\.change) }

  /// Writes the name of this observer for each call, and whether that is before the change.
  package func report(to log: Locked<[String]>) {
    whenCalled = { recorder, call in log.append(recorder.name + (call.isPrior ? " before" : "")) }
  }

  package func record(_ call: Call) {
    recorded.append(call)
    whenCalled?(self, call)
  }

  open func redraw() {
    record(Call())
  }

  open func update(change: [NSKeyValueChangeKey: Any]) {
    record(Call(dictionary: change))
  }

  open func update(change: [NSKeyValueChangeKey: Any], object: Any) {
    record(Call(object: object, dictionary: change))
  }

  open override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    record(
      Call(keyPath: keyPath, object: object, dictionary: change ?? [:], context: Int(bitPattern: context)))
  }
}

extension KeyValueObservable {
  /// Registers this object with the engine as an observer; a context of 0 is nil.
  package func observe(
    _ object: KeyValueObservable, _ keyPath: String, _ options: NSKeyValueObservingOptions = [.new, .old],
    context: Int = 0
  ) {
    register(with: object, keyPath, options, context: .number(context))
  }

  /// Ends a registration with just this context; 0 is nil.
  package func unobserve(_ object: KeyValueObservable, _ keyPath: String, context: Int = 0) {
    unregister(from: object, keyPath, context: .number(context))
  }

  /// Ends one registration, whatever its context.
  package func unobserve(anyContextOf object: KeyValueObservable, _ keyPath: String) {
    unregister(fromAnyContextOf: object, keyPath)
  }
}

/// An observer of a class that has nothing to do with Key-Value Observing.
package class PlainRecorder {
  package var changes: [Change?] = []
  package var objects: [ObjectIdentifier] = []

  package init() {}

  package func redraw() {
    changes.append(nil)
  }

  package func update(change: [NSKeyValueChangeKey: Any]) {
    changes.append(Change(change))
  }

  package func update(change: [NSKeyValueChangeKey: Any], object: Any) {
    changes.append(Change(change))
    objects.append(ObjectIdentifier(object as AnyObject))
  }
}

/// An observer that ignores all changes.
package final class Deaf: KeyValueObject, @unchecked Sendable {
  package override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}
}
