#if !canImport(ObjectiveC)
/// The registrations with one object, by observer, context, and key path.
///
/// - Complexity: Constant time, except for a removal without a context, which searches the observer's registrations, and
///   for several registrations of one observer with one context, which are searched by key path.
struct RegistrationTable {
  /// The number of registrations up to which a search is faster than a dictionary.
  private static let mostInArray = 8

  private enum Storage {
    case none
    case one(Observance)
    case few([Observance])
    case many([ObjectIdentifier: RegistrationsOfObserver])
  }

  private var storage = Storage.none
  /// The number of manual registrations, whose observers may be deallocated without removing them.
  private var manualCount: Int32 = 0
  private var sweepLimit: Int32 = 16
  private(set) var wasSwept = false

  var isEmpty: Bool { if case .none = storage { true } else { false } }

  var all: [Observance] {
    switch storage {
    case .none: []
    case .one(let observance): [observance]
    case .few(let observances): observances
    case .many(let observances): observances.values.flatMap(\.all)
    }
  }

  mutating func insert(_ observance: Observance) {
    if observance.isManual { manualCount += 1 }
    switch storage {
    case .none:
      storage = .one(observance)
    case .one(let first):
      storage = .few([first, observance])
    case .few(var observances):
      storage = .none
      observances.append(observance)
      guard observances.count > Self.mostInArray else {
        storage = .few(observances)
        return
      }
      var groups: [ObjectIdentifier: RegistrationsOfObserver] = [:]
      for observance in observances { groups[observance.observerIdentifier, default: .none].insert(observance) }
      storage = .many(groups)
    case .many(var observances):
      storage = .none
      observances[observance.observerIdentifier, default: .none].insert(observance)
      storage = .many(observances)
    }
  }

  /// Removes the latest registration with exactly this context, or with any context if it is nil.
  mutating func remove(
    _ observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer??
  ) -> Observance? {
    guard let observance = last(of: observer, keyPath, context: context) else { return nil }
    remove(observance)
    return observance
  }

  mutating func remove(_ observance: Observance) {
    switch storage {
    case .none:
      return
    case .one(let only):
      guard only === observance else { return }
      storage = .none
    case .few(var observances):
      guard let index = observances.lastIndex(where: { $0 === observance }) else { return }
      storage = .none
      observances.remove(at: index)
      storage = observances.count == 1 ? .one(observances[0]) : .few(observances)
    case .many(var observances):
      storage = .none
      let isFound = remove(observance, from: &observances)
      storage = observances.isEmpty ? .none : .many(observances)
      guard isFound else { return }
    }
    if observance.isManual { manualCount -= 1 }
  }

  private func remove(
    _ observance: Observance, from observances: inout [ObjectIdentifier: RegistrationsOfObserver]
  ) -> Bool {
    guard let place = observances.index(forKey: observance.observerIdentifier) else { return false }
    let isFound = observances.values[place].remove(observance)
    if observances.values[place].isEmpty { observances.remove(at: place) }
    return isFound
  }

  private func last(
    of observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer??
  ) -> Observance? {
    let identifier = ObjectIdentifier(observer)
    func isCandidate(_ observance: Observance) -> Bool {
      observance.observerIdentifier == identifier && (context == nil || observance.context == context!)
        && observance.keyPath == keyPath
    }
    switch storage {
    case .none:
      return nil
    case .one(let observance):
      return isCandidate(observance) ? observance : nil
    case .few(let observances):
      return last(of: observer, among: observances.filter(isCandidate))
    case .many(let observances):
      return last(of: observer, among: observances[identifier]?.all(withContext: context).filter(isCandidate) ?? [])
    }
  }

  /// The latest registration of `observer`, or one whose observer can't be distinguished from it, because a weak
  /// reference to an observer in its `deinit` is nil. Such an observer can still remove itself.
  private func last(of observer: KeyValueObject, among candidates: [Observance]) -> Observance? {
    guard candidates.count > 1 else { return candidates.first }
    return candidates.last { $0.isManual && $0.isRegistered(by: observer) } ?? candidates.last
  }
}

// MARK: Sweeping

extension RegistrationTable {
  /// The manual registrations, if there are enough of them for a sweep.
  func candidatesOfSweep() -> [Observance]? {
    manualCount >= sweepLimit ? all.filter(\.isManual) : nil
  }

  /// Records that a sweep has removed registrations. The next one comes when the number of manual registrations has
  /// doubled.
  mutating func didSweep(of count: Int) {
    sweepLimit = max(16, 2 * manualCount)
    if count > 0 { wasSwept = true }
  }
}

/// The registrations of one observer with one object, by context.
private enum RegistrationsOfObserver {
  /// The number of registrations up to which a search is faster than a dictionary.
  private static let mostInArray = 8

  case none
  case one(Observance)
  case few([Observance])
  case many([Context: [Observance]])

  var isEmpty: Bool { if case .none = self { true } else { false } }

  /// All of them, in the order in which they were made.
  var all: [Observance] {
    switch self {
    case .none: []
    case .one(let observance): [observance]
    case .few(let observances): observances
    case .many(let observances): observances.values.joined().sorted { $0.sequence < $1.sequence }
    }
  }

  /// Those that may have this context, or all if it is nil, in the order in which they were made.
  func all(withContext context: UnsafeMutableRawPointer??) -> [Observance] {
    if case .many(let observances) = self, let context { observances[Context(context)] ?? [] } else { all }
  }

  mutating func insert(_ observance: Observance) {
    switch self {
    case .none:
      self = .one(observance)
    case .one(let first):
      self = .few([first, observance])
    case .few(var observances):
      self = .none
      observances.append(observance)
      self =
        observances.count <= Self.mostInArray
        ? .few(observances) : .many(Dictionary(grouping: observances) { Context($0.context) })
    case .many(var observances):
      self = .none
      observances[Context(observance.context), default: []].append(observance)
      self = .many(observances)
    }
  }

  /// - Returns: Whether the registration was there.
  mutating func remove(_ observance: Observance) -> Bool {
    switch self {
    case .none:
      return false
    case .one(let only):
      guard only === observance else { return false }
      self = .none
      return true
    case .few(var observances):
      guard let index = observances.lastIndex(where: { $0 === observance }) else { return false }
      self = .none
      observances.remove(at: index)
      self = observances.count == 1 ? .one(observances[0]) : .few(observances)
      return true
    case .many(var observances):
      guard let place = observances.index(forKey: Context(observance.context)),
        let index = observances.values[place].lastIndex(where: { $0 === observance })
      else { return false }
      self = .none
      if observances.values[place].count == 1 {
        observances.remove(at: place)
      } else {
        observances.values[place].remove(at: index)
      }
      self = observances.isEmpty ? .none : .many(observances)
      return true
    }
  }

  /// The context of a registration.
  struct Context: Hashable {
    let pointer: UnsafeMutableRawPointer?

    init(_ pointer: UnsafeMutableRawPointer?) {
      self.pointer = pointer
    }

    // Addresses and sequential numbers need no protection against deliberate collisions.
    func _rawHashValue(seed: Int) -> Int {
      let bits = UInt(bitPattern: pointer).byteSwapped ^ UInt(bitPattern: seed)
      return Int(bitPattern: (bits &* 0x9E37_79B9_7F4A_7C15).byteSwapped)
    }
  }
}
#endif
