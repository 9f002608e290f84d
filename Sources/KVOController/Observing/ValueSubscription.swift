/// A subscription to the value at a key path: a publisher's, as far as that doesn't depend on Combine. It retains the
/// object, what receives the values, and a value that waits for demand, until it is cancelled or deallocated.
///
/// Values are received one at a time, as Combine requires, and in the order in which they are read. A thread that
/// changes the property while another one's value is received waits.
///
/// - Thread safety: The state is guarded by its lock, which isn't held while values are received.
package final class ValueSubscription<Object: KeyValueObject, Value>: @unchecked Sendable {
  private struct State {
    var object: Object?
    var receive: ((Value) -> Int?)?
    var value = DemandedValue<Value>()
    var observance: Observance?
  }

  private let keyPath: KeyPath<Object, Value>
  private let state: LockedState<State>
  /// Held from reading a value until it has been received, which may change the property again.
  private let turn = NSRecursiveLock()

  /// - Parameter receive: Receives a value, and returns how many more are demanded; nil for all.
  package init(_ object: Object, _ keyPath: KeyPath<Object, Value>, receive: @escaping (Value) -> Int?) {
    self.keyPath = keyPath
    state = LockedState(State(object: object, receive: receive))
  }

  deinit {
    requireNoLock("a subscription is released")
    cancel()
  }

  /// Observes the object, unless the subscription is cancelled already. Called once.
  ///
  /// - Parameter options: `.initial` for the present value, `.prior` for the value before each change.
  package func begin(_ options: NSKeyValueObservingOptions) {
    guard let object = state.withLock({ $0.object }) else { return }
    let observance = ClosureObservance(.resolved(keyPath, of: object), options: options, .publisher) { [weak self] _ in
      self?.sendValue()
    }
    // It may have been cancelled meanwhile, or be by the first value.
    let isCancelled = state.withLock { state in
      guard state.object != nil else { return true }
      state.observance = observance
      return false
    }
    if !isCancelled { observance.begin(at: object) }
  }

  private func sendValue() {
    guard let object = state.withLock({ $0.object }) else { return }
    turn.withLock {
      let value = object[keyPath: keyPath]
      send { $0.receive(value) }
    }
  }

  /// Adds a number of values to the demand; nil for all.
  package func request(_ count: Int?) { send { $0.request(count) } }

  private func send(_ value: (inout DemandedValue<Value>) -> DemandedValue<Value>.Next) {
    turn.withLock {
      let next = state.withLock { state in state.receive.map { ($0, value(&state.value)) } }
      guard let (receive, (value, _)) = next, let value else { return }
      let demand = receive(value)
      if demand != 0 { request(demand) }
    }
  }

  /// Ends the subscription. When this returns, no value is sent any longer.
  package func cancel() {
    var former = State(object: nil, receive: nil)
    state.withLock { swap(&$0, &former) }
    former.observance?.end()
    withExtendedLifetime(former) {}
  }
}

/// The value that waits for a subscriber's demand: the latest one, because the others are out of date.
///
/// It is a value without a lock: its owner sends what the methods return after releasing its own.
struct DemandedValue<Value> {
  /// How many values the subscriber still wants; nil for all.
  private var demand: Int? = 0
  private var waiting: Value?

  /// A value to be sent, if any, and the one that waited before, which the owner releases after its lock.
  typealias Next = (value: Value?, former: Value?)

  mutating func receive(_ value: Value) -> Next {
    guard demand != 0 else {
      defer { waiting = value }
      return (nil, waiting)
    }
    demand = demand.map { $0 - 1 }
    return (value, nil)
  }

  /// Adds a number of values to the demand; nil for all, and so is a sum that is too large.
  mutating func request(_ count: Int?) -> Next {
    let sum = count.flatMap { demand?.addingReportingOverflow($0) }
    demand = sum.flatMap { $0.overflow ? nil : $0.partialValue }
    guard demand != 0, let value = waiting.takeOut() else { return (nil, nil) }
    return receive(value)
  }
}
