#if !canImport(ObjectiveC)
/// The registrations with one object, found by observer, context and key path.
///
/// - Complexity: Constant time, but for a removal that doesn't name the context, which looks through all of them, and
///   for what one observer registered with one context, of which each key path is looked at.
struct RegistrationTable {
  private var observances: [Registrant: Registrations] = [:]

  var isEmpty: Bool { observances.isEmpty }

  var all: [Observance] { observances.values.flatMap { $0.all } }

  mutating func insert(_ observance: Observance) {
    let registrant = Registrant(observer: observance.observerIdentifier, context: observance.context)
    if let index = observances.index(forKey: registrant) {
      observances.values[index].append(observance)
    } else {
      observances[registrant] = .one(observance)
    }
  }

  /// Takes out the latest registration with just this context.
  mutating func remove(
    _ observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer?
  ) -> Observance? {
    remove(Registrant(observer: ObjectIdentifier(observer), context: context), observer, keyPath)
  }

  /// Takes out the latest registration with whatever context.
  mutating func remove(_ observer: KeyValueObject, _ keyPath: String) -> Observance? {
    let identifier = ObjectIdentifier(observer)
    let candidates = observances.filter { $0.key.observer == identifier }.compactMap { registrant, registrations in
      registrations.last(of: observer, keyPath).map { (registrant, $0.sequence) }
    }
    return candidates.max { $0.1 < $1.1 }.flatMap { remove($0.0, observer, keyPath) }
  }

  private mutating func remove(_ registrant: Registrant, _ observer: KeyValueObject, _ keyPath: String) -> Observance? {
    guard let index = observances.index(forKey: registrant),
      let observance = observances.values[index].last(of: observer, keyPath)
    else { return nil }
    if case .one = observances.values[index] {
      observances.remove(at: index)
    } else {
      observances.values[index].remove(observance)
    }
    return observance
  }
}

/// Who registered, as far as it tells registrations apart.
private struct Registrant: Hashable {
  let observer: ObjectIdentifier
  let context: UnsafeMutableRawPointer?

  // Addresses and running numbers need no protection against those who would choose them to collide.
  func _rawHashValue(seed: Int) -> Int {
    let bits = UInt(bitPattern: observer) ^ UInt(bitPattern: context).byteSwapped ^ UInt(bitPattern: seed)
    return Int(bitPattern: (bits &* 0x9E37_79B9_7F4A_7C15).byteSwapped)
  }
}

/// The registrations of one observer with one context, of which there is mostly one.
private enum Registrations {
  case one(Observance)
  case many([Observance])

  var all: [Observance] {
    switch self {
    case .one(let observance): [observance]
    case .many(let observances): observances
    }
  }

  mutating func append(_ observance: Observance) {
    self = .many(all + [observance])
  }

  mutating func remove(_ observance: Observance) {
    let others = all.filter { $0 !== observance }
    self = others.count == 1 ? .one(others[0]) : .many(others)
  }

  /// The latest registration of `observer`, or else one whose observer can't be told from it: an observer in its
  /// `deinit` is not to be had by a weak reference any more, but may still remove itself.
  func last(of observer: KeyValueObject, _ keyPath: String) -> Observance? {
    if case .one(let observance) = self { return observance.keyPath == keyPath ? observance : nil }
    return all.last { $0.keyPath == keyPath && $0.observer === observer } ?? all.last { $0.keyPath == keyPath }
  }
}
#endif
