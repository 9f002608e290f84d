#if !canImport(ObjectiveC)
/// The registrations with one object, found by observer, context and key path.
///
/// - Complexity: Constant time, but for a removal that doesn't name the context, which looks through all of them.
struct RegistrationTable {
  private struct Registrant: Hashable {
    let observer: ObjectIdentifier
    let context: UnsafeMutableRawPointer?
  }

  private var observances: [Registrant: [Observance]] = [:]

  var isEmpty: Bool { observances.isEmpty }

  var all: [Observance] { observances.values.flatMap { $0 } }

  mutating func insert(_ observance: Observance) {
    observances[Registrant(observer: observance.observerIdentifier, context: observance.context), default: []]
      .append(observance)
  }

  /// Takes out the latest registration with just this context.
  mutating func remove(
    _ observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer?
  ) -> Observance? {
    let registrant = Registrant(observer: ObjectIdentifier(observer), context: context)
    guard let index = observances[registrant]?.lastIndex(of: observer, keyPath) else { return nil }
    return remove(registrant, at: index)
  }

  /// Takes out the latest registration with whatever context.
  mutating func remove(_ observer: KeyValueObject, _ keyPath: String) -> Observance? {
    let identifier = ObjectIdentifier(observer)
    let candidates = observances.filter { $0.key.observer == identifier }.compactMap { registrant, observances in
      observances.lastIndex(of: observer, keyPath).map { (registrant, $0, observances[$0].sequence) }
    }
    guard let (registrant, index, _) = candidates.max(by: { $0.2 < $1.2 }) else { return nil }
    return remove(registrant, at: index)
  }

  private mutating func remove(_ registrant: Registrant, at index: Int) -> Observance? {
    let observance = observances[registrant]?.remove(at: index)
    if observances[registrant]?.isEmpty == true { observances[registrant] = nil }
    return observance
  }
}

extension [Observance] {
  /// The latest registration of `observer`, or else one whose observer can't be told from it: an observer in its
  /// `deinit` is not to be had by a weak reference any more, but may still remove itself.
  fileprivate func lastIndex(of observer: KeyValueObject, _ keyPath: String) -> Int? {
    lastIndex { $0.keyPath == keyPath && $0.observer === observer } ?? lastIndex { $0.keyPath == keyPath }
  }
}
#endif
