#if canImport(ObjectiveC) && canImport(Combine)
import Combine

extension _KeyValueCodingAndObserving where Self: KeyValueObject {
  /// A publisher of the value at a key path: now, and after each change.
  ///
  /// It replaces Combine's own, which traps for an ``Observed`` property. Values are sent on the thread
  /// that makes the change, before the setter returns. A subscriber that demands fewer receives the latest one when it demands
  /// another. A subscription retains the object, and lasts until it is cancelled.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - options: `.initial` to send the value at once, `.prior` to send it also before each change.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
  ) -> some Publisher<Value, Never> {
    KeyPathPublisher(object: self, keyPath: keyPath, options: options.intersection([.initial, .prior]))
  }
}

private struct KeyPathPublisher<Object: KeyValueObject, Output>: Publisher {
  typealias Failure = Never

  let object: Object
  let keyPath: KeyPath<Object, Output>
  let options: NSKeyValueObservingOptions

  func receive(subscriber: some Subscriber<Output, Never>) {
    let subscription = KeyPathSubscription(object, keyPath, AnySubscriber(subscriber))
    subscriber.receive(subscription: subscription)
    subscription.begin(options)
  }
}

/// - Thread safety: The state is guarded by its lock, which isn't held while the subscriber is called.
private final class KeyPathSubscription<Object: KeyValueObject, Value>: Subscription, @unchecked Sendable {
  private struct State {
    var object: Object?
    var subscriber: AnySubscriber<Value, Never>?
    var value = DemandedValue<Value>()
    var observance: Observance?
  }

  private let keyPath: KeyPath<Object, Value>
  private let state: LockedState<State>

  init(_ object: Object, _ keyPath: KeyPath<Object, Value>, _ subscriber: AnySubscriber<Value, Never>) {
    self.keyPath = keyPath
    state = LockedState(State(object: object, subscriber: subscriber))
  }

  deinit {
    cancel()
  }

  func begin(_ options: NSKeyValueObservingOptions) {
    guard let object = state.withLock({ $0.object }) else { return }
    let observance = ClosureObservance(.resolved(keyPath, of: object), options: options) { [weak self] _ in
      self?.sendValue()
    }
    // It may be cancelled already, or by the first value.
    let isCancelled = state.withLock { state in
      state.observance = observance
      return state.object == nil
    }
    if isCancelled { observance.end() }
    observance.begin(at: object)
  }

  private func sendValue() {
    guard let object = state.withLock({ $0.object }) else { return }
    let value = object[keyPath: keyPath]
    send { $0.receive(value) }
  }

  func request(_ demand: Subscribers.Demand) {
    send { $0.request(demand.max) }
  }

  private func send(_ value: (inout DemandedValue<Value>) -> Value?) {
    let (subscriber, value) = state.withLock { ($0.subscriber, value(&$0.value)) }
    guard let subscriber, let value else { return }
    let demand = subscriber.receive(value)
    if demand != .none { request(demand) }
  }

  func cancel() {
    let former = state.withLock { state in
      defer { (state.object, state.subscriber, state.observance) = (nil, nil, nil) }
      return (state.object, state.subscriber, state.observance)
    }
    former.2?.end()
    withExtendedLifetime(former) {}
  }
}
#endif
