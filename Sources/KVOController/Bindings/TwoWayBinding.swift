/// One of two properties that are bound to each other.
struct Side<Value: Equatable> {
  /// Reads the property; nil if it can't be reached.
  let value: (AnyObject) -> Value?
  let assign: (AnyObject, Value) -> Void

  init<Root: AnyObject>(_ keyPath: ReferenceWritableKeyPath<Root, Value>) {
    let read = keyPath.reader
    value = { read(unsafeDowncast($0, to: Root.self)) }
    assign = { unsafeDowncast($0, to: Root.self)[keyPath: keyPath] = $1 }
  }
}

/// Two properties that are bound to each other. The observation of the source retains it; all others end with it.
///
/// One thread assigns at a time: what others change meanwhile, or what an assignment causes, is left to it. The property that
/// was changed last is noted on the thread that changes it, because changes of two properties may reach an actor in another
/// order.
///
/// - Thread safety: The state is guarded by the lock, which is never held while foreign code runs.
final class TwoWayBinding<Value: Equatable>: @unchecked Sendable {
  enum Direction { case toTarget, toSource }

  private struct State {
    /// Whether the first value is on its way to the target.
    var hasBegun = false
    /// The direction of the latest change that wasn't propagated yet.
    var latest: Direction?
    /// The thread that assigns.
    var thread: UInt?
    /// The number of assignments since the latest change that isn't an effect of one.
    var effects = 0
    var assignment: (direction: Direction, value: Value)?
  }

  /// The number of assignments after which two properties that can't agree are left as they are.
  private static var mostEffects: Int { 8 }

  private let binding: Binding
  private let source: Side<Value>
  private let target: Side<Value>
  private let object: WeakReference
  private let controller: KVOController
  private let state = LockedState(State())

  init(
    _ binding: Binding, _ source: Side<Value>, of object: KeyValueObservable, _ target: Side<Value>,
    of observer: KeyValueObservable
  ) {
    (self.binding, self.source, self.target) = (binding, source, target)
    self.object = WeakReference(object)
    controller = KVOController(observer: observer, retainObserved: false)
  }

  func observe(
    _ object: KeyValueObservable, _ path: ObservedPath, _ direction: Direction, _ isolation: (any Actor)?,
    _ site: CallSite
  ) {
    controller.store.observe(
      object, path, [], .none, Destination(isolation),
      .handler { [weak self] observer, _ in self?.propagate(direction, observer, isNoted: isolation != nil) }, at: site)
  }

  /// Notes changes of a path on the threads that make them. These observations are the last, so they are notified first.
  func noteChanges(of object: KeyValueObservable, _ path: ObservedPath, _ direction: Direction, _ site: CallSite) {
    controller.store.observe(
      object, path, [], .unique, .threadOfChange,
      .handler { [weak self] observer, _ in
        if let self, !isOwnAssignment(direction, observer) { note(direction) }
      }, at: site)
  }

  private func note(_ direction: Direction) {
    state.withLock { state in
      guard state.hasBegun else { return }
      state.latest = direction
      if state.thread != CurrentThread.identity { state.effects = 0 }
    }
  }

  /// Whether a change in a direction is the binding's own assignment.
  ///
  /// It isn't the latest change then if another handler was called for it before, and has changed the other property.
  private func isOwnAssignment(_ direction: Direction, _ observer: AnyObject) -> Bool {
    let assignment = state.withLock { $0.thread == CurrentThread.identity ? $0.assignment : nil }
    guard let assignment, assignment.direction != direction else { return false }
    let value = direction == .toSource ? target.value(observer) : object.object.flatMap(source.value)
    return value.map { areSame($0, assignment.value) } ?? false
  }

  /// Propagates the latest change; `direction` is that of the change that is notified.
  func propagate(_ direction: Direction, _ observer: AnyObject, isNoted: Bool) {
    guard !isOwnAssignment(direction, observer) else { return }
    if !isNoted { note(direction) }
    let isFirst = state.withLock { state in
      guard state.hasBegun || direction == .toTarget else { return false }
      state.latest = state.hasBegun ? state.latest ?? direction : .toTarget
      state.hasBegun = true
      guard state.thread == nil else { return false }
      (state.thread, state.effects) = (CurrentThread.identity, 0)
      return true
    }
    guard isFirst else { return }
    while let direction = next() { assign(direction, observer) }
  }

  private func next() -> Direction? {
    state.withLock { state in
      guard let direction = state.latest, state.effects < Self.mostEffects else {
        (state.thread, state.latest) = (nil, nil)
        return nil
      }
      state.latest = nil
      state.effects += 1
      return direction
    }
  }

  private func assign(_ direction: Direction, _ observer: AnyObject) {
    guard binding.isActive, let object = object.object, let source = source.value(object),
      let target = target.value(observer),
      !areSame(source, target)
    else { return }
    let value = direction == .toTarget ? source : target
    // Nothing is released with the lock.
    withExtendedLifetime(value) {
      state.withLock { $0.assignment = (direction, value) }
      switch direction {
      case .toTarget: self.target.assign(observer, value)
      case .toSource: self.source.assign(object, value)
      }
      state.withLock { $0.assignment = nil }
    }
  }
}
