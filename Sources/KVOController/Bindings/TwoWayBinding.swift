/// What two properties that are bound to each other had at the last look, by which it is told which one has changed. Only the
/// thread that looks uses it.
package struct Agreement<Value> {
  /// The values of both sides; empty if one couldn't be reached at the last look.
  private var sides: [Looks.Side: RememberedValue<Value>] = [:]
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
    _ look: Looks.Side, _ values: (source: Value, target: Value)?, owner: ObjectIdentifier?
  ) -> (value: Value, side: Looks.Side)? {
    guard let (source, target) = values else {
      sides = [:]
      return nil
    }
    // nil if that isn't known, because neither value is equal to itself.
    let (ofSource, ofTarget) = (sides[.source]?.differs(from: source), sides[.target]?.differs(from: target))
    let isNew = owner != self.owner || sides.isEmpty
    // What is certain goes before what was only notified.
    let isFromSource = isNew || ofSource == true || (ofSource == nil && look.contains(.source) && ofTarget != true)
    guard isFromSource || ofTarget ?? look.contains(.target) else { return nil }
    self.owner = owner
    sides = [.source: RememberedValue(source), .target: RememberedValue(target)]
    let (value, present) = isFromSource ? (source, target) : (target, source)
    return isSame(value, present) ?? look.isEmpty ? nil : (value, isFromSource ? .target : .source)
  }

  /// Adopts what an assignment has led to.
  ///
  /// - Parameters:
  ///   - value: What was assigned to `side`.
  ///   - made: What that side has now.
  ///   - other: What the side that has changed has now.
  /// - Returns: What to give back to the side that has changed, if anything.
  package mutating func assigned(_ value: Value, to side: Looks.Side, made: Value, other: Value) -> Value? {
    sides[side] = RememberedValue(made)
    // A side that has changed again meanwhile differs from what it had.
    return differ(value, other) != true && differ(value, made) == true ? made : nil
  }

  /// Adopts what a side has after it was given a value.
  package mutating func gaveBack(to side: Looks.Side, made: Value) { sides[side] = RememberedValue(made) }
}

/// Two properties that are bound to each other. The observation of the source retains it; that of the target ends with it.
///
/// - Thread safety: The looks of the binding let one thread at a time use everything.
final class TwoWayBinding<Value: Equatable>: @unchecked Sendable {
  private struct Property {
    let observation: KVOObservation
    /// The object that has the property; nil if a step to it is nil.
    let owner: (AnyObject) -> AnyObject?
    let assign: (AnyObject, Value) -> Void

    init<Root: AnyObject>(_ info: KVOInfo, _ keyPath: ReferenceWritableKeyPath<Root, Value>) {
      observation = KVOObservation(info)
      owner = keyPath.owner
      assign = { unsafeDowncast($0, to: Root.self)[keyPath: keyPath] = $1 }
    }
  }

  private let binding: Binding
  /// Observes the target.
  private let controller: KVOController

  @exclusivity(unchecked) private var properties: [Looks.Side: Property] = [:]
  @exclusivity(unchecked) private var agreement = Agreement<Value>()

  init(_ binding: Binding, of observer: KeyValueObservable) {
    self.binding = binding
    controller = KVOController(observer: observer, retainObserved: false)
  }

  /// Begins the observation of the target. Returns that of the source, which assigns the source's value when it begins.
  func info<Source: KeyValueObservable, Target: KeyValueObservable>(
    _ source: Source, _ keyPath: ReferenceWritableKeyPath<Source, Value>, _ path: ObservedPath,
    of store: ObservationStore, _ target: Target, _ targetKeyPath: ReferenceWritableKeyPath<Target, Value>,
    _ targetPath: ObservedPath, _ isolation: (any Actor)?, _ site: CallSite
  ) -> KVOInfo {
    let info = KVOInfo(
      path, options: .initial, .binding(targetKeyPath), Destination(isolation),
      .handler { _, _ in self.propertyHasChanged(.source) }, of: store)
    let targetInfo = KVOInfo(
      targetPath, options: [], .none, Destination(isolation),
      .handler { [weak self] _, _ in self?.propertyHasChanged(.target) }, of: controller.store)
    properties = [.source: Property(info, keyPath), .target: Property(targetInfo, targetKeyPath)]
    _ = controller.store.observe(target, [targetInfo], at: site)
    return info
  }

  private func propertyHasChanged(_ side: Looks.Side) {
    ThreadFrame.noteChange(of: side.rawValue, in: ObjectIdentifier(self))
    binding.look(after: side, lookOnce)
  }

  private func lookOnce(_ look: Looks.Side) {
    guard let (source, owner) = read(.source), let (target, _) = read(.target) else { return }
    let values: (Value, Value)? = if let source, let target { (source, target) } else { nil }
    guard let (value, side) = agreement.look(look, values, owner: owner) else { return }
    let changed: Looks.Side = side == .source ? .target : .source
    assign(value, to: side)
    guard let made = read(side)?.value, let other = read(changed)?.value,
      let given = agreement.assigned(value, to: side, made: made, other: other)
    else { return }
    let frame = ThreadFrame.Purpose.givingBack(ObjectIdentifier(self), side: changed.rawValue, isAgain: look.isEmpty)
    let (_, isStale) = ThreadFrame.run(frame) { assign(given, to: changed) }
    guard let made = read(changed)?.value else { return }
    // What an observer has made of it is a change, but only once, because several bindings may never agree.
    let isChange = isStale && !look.isEmpty && !ThreadFrame.isGivingBackAgain
    agreement.gaveBack(to: changed, made: isChange ? given : made)
  }

  /// The value of a property, and the object that has it, which are nil if a step to it is nil. What can't be read now, during an
  /// in-place mutation for instance, is looked at when it is notified: then this is nil.
  private func read(_ side: Looks.Side) -> (value: Value?, owner: ObjectIdentifier?)? {
    guard let property = properties[side], let object = property.observation.object,
      let value = property.observation.currentValue
    else { return nil }
    guard let owner = property.owner(object) else { return (nil, nil) }
    return (value.typed(), ObjectIdentifier(owner))
  }

  private func assign(_ value: Value, to side: Looks.Side) {
    guard binding.isActive, let property = properties[side], let object = property.observation.object else { return }
    property.assign(object, value)
  }
}
