#if !canImport(ObjectiveC)
import Synchronization

/// The registrations with one object that controllers made, as a list that is linked through them.
///
/// - Complexity: Constant time to insert and remove one.
struct RegistrationList {
  /// The latest one. The list retains all of them.
  private var last: Unmanaged<Observance>?

  var isEmpty: Bool { last == nil }

  /// All of them, the latest first.
  var all: [Observance] {
    var all: [Observance] = []
    var next = last
    while let observance = next?.takeUnretainedValue() {
      all.append(observance)
      next = observance.previous
    }
    return all
  }

  mutating func insert(_ observance: Observance) {
    let inserted = Unmanaged.passRetained(observance)
    observance.previous = last
    last?._withUnsafeGuaranteedRef { $0.next = inserted }
    last = inserted
    observance.isListed = true
  }

  /// Removes an observance that is in the list. The caller releases what is returned.
  mutating func remove(_ observance: Observance) -> Unmanaged<Observance> {
    if let next = observance.next {
      next._withUnsafeGuaranteedRef { $0.previous = observance.previous }
    } else {
      last = observance.previous
    }
    observance.previous?._withUnsafeGuaranteedRef { $0.next = observance.next }
    (observance.previous, observance.next) = (nil, nil)
    observance.isListed = false
    return .passUnretained(observance)
  }

  /// Removes and returns all of them.
  mutating func removeAll() -> [Observance] {
    let all = all
    for observance in all { remove(observance).release() }
    return all
  }
}

/// The one observer for which all controllers register.
enum SharedObserver {
  private static let address = Atomic<UInt>(0)

  static func set(_ observer: KeyValueObject) {
    address.store(UInt(bitPattern: ObjectIdentifier(observer)), ordering: .relaxed)
  }

  static func `is`(_ observer: KeyValueObject) -> Bool {
    address.load(ordering: .relaxed) == UInt(bitPattern: ObjectIdentifier(observer))
  }
}

/// The registrations with one object that were made manually, by observer, context, and key path. Their observers may
/// be deallocated without removing them.
///
/// - Complexity: Constant time, except for a removal without a context, which searches the observer's registrations, and
///   for several registrations of one observer with one context, which are searched by key path.
struct ManualRegistrations {
  private var registrations = RegistrationGroup.none
  private(set) var count: Int32 = 0
  private var sweepLimit: Int32 = 16
  private(set) var wasSwept = false

  var isEmpty: Bool { registrations.isEmpty }

  var all: [ObserverObservance] { registrations.all }

  mutating func insert(_ observance: ObserverObservance) {
    count += 1
    registrations.insert(observance, by: .observer)
  }

  /// Removes the latest registration with exactly this context, or with any context if it is nil.
  mutating func remove(
    _ observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer??
  ) -> Observance? {
    guard let observance = last(of: observer, keyPath, context: context) else { return nil }
    remove(observance)
    return observance
  }

  mutating func remove(_ observance: ObserverObservance) {
    if registrations.remove(observance, by: .observer) { count -= 1 }
  }

  private func last(
    of observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer??
  ) -> ObserverObservance? {
    let identifier = ObjectIdentifier(observer)
    func isCandidate(_ observance: ObserverObservance) -> Bool {
      observance.observerIdentifier == identifier && (context == nil || observance.context == context!)
        && observance.keyPath == keyPath
    }
    var group = registrations.subgroup(.init(identifier))
    if let context { group = group.subgroup(.init(context)) }
    if case .one(let observance) = group { return isCandidate(observance) ? observance : nil }
    let candidates = group.all.filter(isCandidate).sorted { $0.sequence < $1.sequence }
    guard candidates.count > 1 else { return candidates.first }
    // A weak reference to an observer in its deinit is nil, so it can't be distinguished from others at its address.
    // Such an observer can still remove itself.
    return candidates.last { $0.isRegistered(by: observer) } ?? candidates.last
  }
}

// MARK: Sweeping

extension ManualRegistrations {
  /// The registrations, if there are enough of them for a sweep.
  func candidatesOfSweep() -> [ObserverObservance]? {
    count >= sweepLimit ? all : nil
  }

  /// Records that a sweep has removed registrations. The next one comes when the number of registrations has doubled.
  mutating func didSweep(of swept: Int) {
    sweepLimit = max(16, 2 * count)
    if swept > 0 { wasSwept = true }
  }
}

/// Registrations, which are grouped by observer if there are many, and those of one observer by context.
private enum RegistrationGroup {
  /// What registrations are grouped by.
  enum Level {
    case observer
    case context
    /// Registrations of one observer with one context aren't grouped further.
    case keyPath

    var next: Level { self == .observer ? .context : .keyPath }

    func key(of observance: ObserverObservance) -> Key {
      self == .observer ? Key(observance.observerIdentifier) : Key(observance.context)
    }
  }

  /// An observer or a context.
  struct Key: Hashable {
    private let bits: UInt

    init(_ observer: ObjectIdentifier) {
      bits = UInt(bitPattern: observer)
    }

    init(_ context: UnsafeMutableRawPointer?) {
      bits = UInt(bitPattern: context)
    }

    // Addresses and sequential numbers need no protection against deliberate collisions.
    func _rawHashValue(seed: Int) -> Int {
      Int(bitPattern: ((bits.byteSwapped ^ UInt(bitPattern: seed)) &* 0x9E37_79B9_7F4A_7C15).byteSwapped)
    }
  }

  /// The number of registrations up to which a search is faster than a dictionary.
  private static let mostInArray = 8

  case none
  case one(ObserverObservance)
  case few([ObserverObservance])
  case many([Key: RegistrationGroup])

  var isEmpty: Bool { if case .none = self { true } else { false } }

  /// All of them, in any order.
  var all: [ObserverObservance] {
    switch self {
    case .none: []
    case .one(let observance): [observance]
    case .few(let observances): observances
    case .many(let groups): groups.values.flatMap(\.all)
    }
  }

  /// The registrations that may have a key: those of its group, or all if they aren't grouped.
  func subgroup(_ key: Key) -> RegistrationGroup {
    if case .many(let groups) = self { groups[key] ?? .none } else { self }
  }

  mutating func insert(_ observance: ObserverObservance, by level: Level) {
    switch self {
    case .none:
      self = .one(observance)
    case .one(let first):
      self = .few([first, observance])
    case .few(var observances):
      self = .none
      observances.append(observance)
      guard level != .keyPath, observances.count > Self.mostInArray else {
        self = .few(observances)
        return
      }
      var groups: [Key: RegistrationGroup] = [:]
      for observance in observances {
        groups[level.key(of: observance), default: .none].insert(observance, by: level.next)
      }
      self = .many(groups)
    case .many(var groups):
      self = .none
      groups[level.key(of: observance), default: .none].insert(observance, by: level.next)
      self = .many(groups)
    }
  }

  /// - Returns: Whether the registration was there.
  mutating func remove(_ observance: ObserverObservance, by level: Level) -> Bool {
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
    case .many(var groups):
      guard let place = groups.index(forKey: level.key(of: observance)) else { return false }
      self = .none
      let isFound = groups.values[place].remove(observance, by: level.next)
      if groups.values[place].isEmpty { groups.remove(at: place) }
      self = groups.isEmpty ? .none : .many(groups)
      return isFound
    }
  }
}
#endif
