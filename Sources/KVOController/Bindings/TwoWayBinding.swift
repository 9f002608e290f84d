/// What two properties that are bound to each other had at the last look, by which it is told which one has changed.
///
/// It is a value without a lock or a reference of its own. Only the thread that looks uses it.
package struct Agreement<Value> {
  private struct Side {
    var last: Value
    /// What was assigned last to this side, if the side made another value of it. That isn't a change, but another thread may make
    /// one while it is assigned.
    var given: Value?

    func hasChanged(to value: Value, isNotified: Bool) -> Bool {
      switch isSame(last, value) {
      case true?: isNotified && given.map { isSame($0, value) == false } == true
      case false?: true
      case nil: isNotified
      }
    }
  }

  /// Both sides; nil if one couldn't be reached at the last look.
  private var sides: (source: Side, target: Side)?
  /// The object that has the source.
  private var owner: ObjectIdentifier?

  package init() {}

  /// Compares the values with those at the last look.
  ///
  /// - Parameters:
  ///   - values: The values; nil if an object on a path is nil.
  ///   - owner: The object that has the source.
  /// - Returns: The value to assign, and the side that gets it; nil if they agree.
  package mutating func look(
    _ look: Looks.Look, _ values: (source: Value, target: Value)?, owner: ObjectIdentifier?
  ) -> (value: Value, side: Looks.Side)? {
    guard let values else {
      sides = nil
      return nil
    }
    let (source, target) = values
    let sourceHasChanged =
      owner != self.owner
      || sides?.source.hasChanged(to: source, isNotified: look.notified.contains(.source)) != false
    let targetHasChanged =
      sides?.target.hasChanged(to: target, isNotified: look.notified.contains(.target)) == true
    self.owner = owner
    guard sourceHasChanged || targetHasChanged else { return nil }
    sides = (Side(last: source), Side(last: target))
    let isThere = sourceHasChanged ? isSame(source, target) : isSame(target, source)
    if isThere ?? !look.isFirst { return nil }
    return sourceHasChanged ? (source, .target) : (target, .source)
  }

  /// Adopts what an assignment has led to.
  ///
  /// - Parameters:
  ///   - value: What was assigned to `side`.
  ///   - made: What that side has now.
  ///   - other: What the side that has changed has now.
  /// - Returns: What to give back to the side that has changed, if anything.
  package mutating func assigned(_ value: Value, to side: Looks.Side, made: Value, other: Value) -> Value? {
    self[side] = Side(last: made)
    // A side that has changed again meanwhile differs from what it had.
    guard isSame(value, other) != false else { return nil }
    return isSame(value, made) == false ? made : nil
  }

  /// Adopts what a side has after `value` was given back to it.
  package mutating func gaveBack(_ value: Value, to side: Looks.Side, made: Value) {
    self[side] = Side(last: made, given: isSame(value, made) == false ? value : nil)
  }

  private subscript(side: Looks.Side) -> Side? {
    get { side == .source ? sides?.source : sides?.target }
    set {
      guard let newValue else { return }
      if side == .source { sides?.source = newValue } else { sides?.target = newValue }
    }
  }
}

/// Two properties that are bound to each other. The observation of the source retains it; that of the target ends with it.
///
/// - Thread safety: The looks are guarded by the lock, which is never held while foreign code runs. They let one thread at a time
///   use everything else.
final class TwoWayBinding<Value: Equatable>: @unchecked Sendable {
  private struct Property {
    /// The object that has the property; nil if a step to it is nil.
    let owner: (AnyObject) -> AnyObject?
    let assign: (AnyObject, Value) -> Void
    var observation: KVOObservation?

    init<Root: AnyObject>(_ keyPath: ReferenceWritableKeyPath<Root, Value>) {
      owner = keyPath.owner
      assign = { unsafeDowncast($0, to: Root.self)[keyPath: keyPath] = $1 }
    }
  }

  private let binding: Binding
  /// Observes the target.
  private let controller: KVOController
  private let looks = LockedState(Looks())

  // Only the thread that looks uses these.

  @exclusivity(unchecked) private var source: Property
  @exclusivity(unchecked) private var target: Property
  @exclusivity(unchecked) private var agreement = Agreement<Value>()

  init<Source: AnyObject, Target: KeyValueObservable>(
    _ binding: Binding, _ source: ReferenceWritableKeyPath<Source, Value>,
    _ target: ReferenceWritableKeyPath<Target, Value>, of observer: Target
  ) {
    self.binding = binding
    self.source = Property(source)
    self.target = Property(target)
    controller = KVOController(observer: observer, retainObserved: false)
  }

  /// Begins both observations, and assigns the source's value.
  func begin(
    by store: ObservationStore, _ object: KeyValueObservable, _ path: ObservedPath, _ observer: KeyValueObservable,
    _ targetPath: ObservedPath, _ isolation: (any Actor)?, _ site: CallSite
  ) -> KVOInfo {
    let look = looks.withLock { $0.begin(after: .source, on: CurrentThread.identity) }
    let targetInfo = controller.store.observe(
      observer, targetPath, [], .none, Destination(isolation),
      .handler { [weak self] _, _ in self?.propertyHasChanged(.target) }, at: site)
    let info = store.observe(
      object, path, [], .binding(binding.target), Destination(isolation),
      .handler { _, _ in self.propertyHasChanged(.source) }, at: site)
    (source.observation, target.observation) = (KVOObservation(info), KVOObservation(targetInfo))
    if let look { self.look(look) }
    return info
  }

  private func propertyHasChanged(_ side: Looks.Side) {
    if let look = looks.withLock({ $0.begin(after: side, on: CurrentThread.identity) }) { self.look(look) }
  }

  private func look(_ first: Looks.Look) {
    var next: Looks.Look? = first
    while let look = next {
      self.lookOnce(look)
      next = looks.withLock { $0.end() }
    }
  }

  private func lookOnce(_ look: Looks.Look) {
    // What isn't known, during an in-place mutation for instance, is looked at when it is notified.
    guard binding.isActive, let object = source.observation?.object, let observer = target.observation?.object,
      let sourceValue = source.observation?.currentValue, let targetValue = target.observation?.currentValue
    else { return }
    let owner = source.owner(object)
    var values: (Value, Value)?
    if owner != nil, target.owner(observer) != nil, let source: Value = sourceValue.typed(),
      let target: Value = targetValue.typed()
    {
      values = (source, target)
    }
    guard let (value, side) = agreement.look(look, values, owner: owner.map(ObjectIdentifier.init)) else { return }
    assign(value, to: side)
    guard let made = self.value(of: side), let other = self.value(of: side.other) else { return }
    guard let given = agreement.assigned(value, to: side, made: made, other: other) else { return }
    assign(given, to: side.other)
    if let made = self.value(of: side.other) { agreement.gaveBack(given, to: side.other, made: made) }
  }

  private func value(of side: Looks.Side) -> Value? {
    let property = side == .source ? source : target
    guard let object = property.observation?.object, property.owner(object) != nil else { return nil }
    return property.observation?.currentValue?.typed()
  }

  private func assign(_ value: Value, to side: Looks.Side) {
    let property = side == .source ? source : target
    if binding.isActive, let object = property.observation?.object { property.assign(object, value) }
  }
}

extension Looks.Side {
  fileprivate var other: Self { self == .source ? .target : .source }
}
