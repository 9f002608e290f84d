extension KVOController {
  /// Returns the changes of the value at a key path of `object`, as an asynchronous sequence.
  ///
  ///     for await change in kvoController.changes(of: clock, \.date) { … }
  ///
  /// Each call returns an independent sequence. It finishes when you cancel its task; when you leave the loop, or release
  /// it unread, and nothing else refers to the sequence; when you unobserve the key path or the object; and when the
  /// object, the controller, or the observer is deallocated. It then releases the object.
  ///
  /// > Note: If the observer's class isn't observable itself, the sequence finishes at the first change after the
  /// > observer was deallocated.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - options: Options that determine what the changes contain, and when they are sent.
  ///   - distinct: Whether only changes to another value are sent: see ``KVODelivery/distinct``.
  ///   - bufferingPolicy: The handling of elements that aren't read in time. By default elements are buffered without
  ///     limit; `.bufferingNewest(1)` keeps only the latest.
  ///   - isolation: The actor on which the sequence releases the object when it ends. Defaults to the caller's.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A sequence for one task to iterate over.
  public func changes<Object: KeyValueObservable, Value: Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    distinct: Bool = false, bufferingPolicy: AsyncStream<KVOChange<Value>>.Continuation.BufferingPolicy = .unbounded,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AsyncStream<KVOChange<Value>> {
    stream(
      of: object, keyPath, options, distinct, bufferingPolicy, isolation, (fileID, line), .handler
    ) { continuation in
      { _, change in continuation.yield(KVOChange(change)) }
    }
  }

  /// Returns the values at a key path of `object`, as an asynchronous sequence that begins with the current value.
  ///
  ///     for await date in kvoController.values(of: clock, \.date) { … }
  ///
  /// While an object on the path is nil, the element is nil if `Value` is an Optional; otherwise there is none. In all else
  /// it is like ``changes(of:_:options:distinct:bufferingPolicy:isolation:fileID:line:)``.
  public func values<Object: KeyValueObservable, Value: Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Value>, distinct: Bool = false,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AsyncStream<Value> {
    stream(
      of: object, keyPath, [.initial, .new], distinct, bufferingPolicy, isolation, (fileID, line), .valueHandler
    ) { continuation in
      { _, change in
        if let value: Value = change.new.typed() { continuation.yield(value) }
      }
    }
  }

  private func stream<Object: KeyValueObservable, Value, Element: Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
    _ isDistinct: Bool, _ policy: AsyncStream<Element>.Continuation.BufferingPolicy, _ isolation: (any Actor)?,
    _ site: CallSite, _ form: ObservationForm, _ handler: (AsyncStream<Element>.Continuation) -> KVOInfo.Handler
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    store.endWithObserver()
    let destination = Destination.sequence(end: Box { continuation.finish() })
    let path = ObservedPath.resolved(keyPath, of: object, site)
    // An identity that is equal only to itself makes the observation independent of all others.
    let request = Request(
      path: path, options: options, identity: .unique, destination: destination,
      delivery: isDistinct ? .distinct : .each, form: form, site: site, handler: handler(continuation))
    let info = store.observe(object, request)
    let token = SequenceToken(KVOObservation(info), isolation)
    continuation.onTermination = { _ in token.end() }
    if !info.isLive { continuation.finish() }
    return stream
  }
}

/// Ends the observation of a sequence, and releases what it retains on the actor on which the sequence was made.
///
/// - Thread safety: The state is guarded by its lock.
private final class SequenceToken: Sendable {
  private struct State {
    var token: KVOObservation?
    /// What the observation retained until it ended.
    var retained: [AnyObject?] = []
  }

  private let state: LockedState<State>
  private let home: WeakActor?

  init(_ token: KVOObservation, _ isolation: (any Actor)?) {
    state = LockedState(State(token: token))
    home = isolation.map { .to($0) }
  }

  func end() {
    let actor = home?.object
    invalidate()
    guard let actor, !isOnExecutor(of: actor) else { return release() }
    Task.detached(priority: Task.currentPriority) { await self.release(on: actor) }
  }

  /// Ends the observation at once. The references of this frame are gone when it returns.
  @inline(never)
  private func invalidate() {
    guard let token = state.withLock({ $0.token }) else { return }
    let retained = token.retained
    state.withLock { $0.retained = retained }
    token.invalidate()
  }

  private func release(on actor: isolated any Actor) { release() }

  private func release() {
    let released = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(released) {}
  }
}
