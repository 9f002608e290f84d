#if canImport(ObjectiveC) && canImport(Combine)
import Combine

extension _KeyValueCodingAndObserving where Self: KeyValueObject {
  /// A publisher of the value at a key path: now, and after each change. Traps if the key path can't be observed.
  ///
  /// It replaces Combine's own, which traps for an ``Observed`` property. Values are sent on the thread that makes the
  /// change, before the setter returns. A subscriber that demands fewer receives the latest one when it demands
  /// another. A subscriber receives one value at a time: a thread that changes the value meanwhile waits. A
  /// subscription retains the object, and lasts until it is cancelled.
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
    let subscriber = AnySubscriber(subscriber)
    let subscription = ValueSubscription(object, keyPath) { subscriber.receive($0).max }
    subscriber.receive(subscription: subscription)
    subscription.begin(options)
  }
}

extension ValueSubscription: Subscription {
  package func request(_ demand: Subscribers.Demand) { request(demand.max) }
}
#endif
