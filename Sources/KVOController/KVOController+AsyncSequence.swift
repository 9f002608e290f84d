extension KVOController {
  /// The changes of the value at a key path of `object`, as an asynchronous sequence.
  ///
  ///     for await change in kvoController.changes(of: clock, \.date) { … }
  ///
  /// An observer of a class that isn't observable itself ends the sequence at the first change after its death.
  ///
  /// Each call gives a sequence of its own. It ends when its loop is left, its task is cancelled, or it is dropped
  /// unread; when the key path or the object is unobserved, or dies; and when the controller or its observer dies. Then
  /// it lets go of the object.
  ///
  /// - Parameters:
  ///   - object: What to observe.
  ///   - keyPath: What of it.
  ///   - options: What the changes hold, and which there are.
  ///   - bufferingPolicy: What happens to changes that come faster than they are read. By default all of them wait, so
  ///     that none is lost; `.bufferingNewest(1)` keeps only the latest.
  public func changes<Object: KeyValueObservable, Value: Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    bufferingPolicy: AsyncStream<KVOChange<Value>>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<KVOChange<Value>> {
    stream(of: object, keyPath, options, bufferingPolicy) { _, change in KVOChange(change) }
  }

  /// The values at a key path of `object`, as an asynchronous sequence that begins with the current one.
  ///
  ///     for await date in kvoController.values(of: clock, \.date) { … }
  ///
  /// Where the key path meets a nil object it has no value, unless `Value` is an Optional: then nothing comes. It ends
  /// like
  /// ``changes(of:_:options:bufferingPolicy:)``.
  ///
  /// - Parameters:
  ///   - object: What to observe.
  ///   - keyPath: What of it.
  ///   - bufferingPolicy: What happens to values that come faster than they are read. By default all of them wait.
  public func values<Object: KeyValueObservable, Value: Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Value>,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    stream(of: object, keyPath, [.initial, .new], bufferingPolicy) { object, change in
      // A change of a collection tells only what was inserted.
      change.kind == .setting ? change.new.typed() : object[keyPath: keyPath]
    }
  }

  private func stream<Object: KeyValueObservable, Value, Element: Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
    _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
    _ element: @escaping (Object, borrowing KeyValueChange) -> Element?
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    endWithObserver()
    // An identifier that is equal to no other makes the observation independent of all others.
    let request = ObservationRequest(
      object: object, path: .resolved(keyPath, of: object), options: options, identifier: HashedIdentifier(),
      onEnd: { continuation.finish() }
    ) { _, change in
      guard let object = change.object as? Object, let element = element(object, change) else { return }
      continuation.yield(element)
    }
    let observation = KVOObservation(request.start(in: store))
    continuation.onTermination = { _ in observation.invalidate() }
    if !observation.isValid { continuation.finish() }
    return stream
  }

  /// Has the observer end the controller's observations when it dies, whoever holds the controller then.
  private func endWithObserver() {
    guard let observer = observer as? KeyValueObservable else { return }
    let made = ObserverLifeline()
    let lifeline = observer.associate(made, .observerLifeline, replacing: false) as? ObserverLifeline
    lifeline?.insert(store)
  }
}

extension AssociationKey {
  fileprivate static let observerLifeline = AssociationKey()
}
