/// A registration for a path without a name, which Foundation can't observe.
///
/// It registers with each property that reading the path leads through, and reads the path again after each change. It
/// sends the observer what Foundation would send: a setting, with the old and new values of the whole path. So it
/// follows paths that are nil at some step, and paths through protocol requirements, overrides, and dynamic members.
///
/// It doesn't retain objects on the path, except those after the root while a property of one of them changes.
///
/// - Thread safety: The state is guarded by the lock, which is never held while foreign code runs. Only one thread at a
///   time changes the registrations.
package final class FollowedRegistration: KeyValueObservable, @unchecked Sendable {
  /// A key of an object on the path.
  private struct Dependency: Hashable {
    let owner: ObjectIdentifier
    let key: String
  }

  /// The object that a dependency belongs to.
  private final class Owner {
    private let reference: WeakReference

    init(_ object: KeyValueObservable) {
      reference = WeakReference(object)
    }

    var object: KeyValueObservable? { reference.object as? KeyValueObservable }
  }

  /// A change that has begun, on its thread.
  private struct PendingChange {
    let thread: ThreadIdentity
    let dependency: Dependency
    let old: Any?
    /// The objects on the path after the root, retained so that those which leave it exist until their registrations are
    /// removed.
    let owners: [KeyValueObservable]
  }

  private struct State {
    /// The properties that the path leads through.
    var dependencies: [Dependency: Owner] = [:]
    /// Properties that it doesn't lead through any longer, whose registrations are still to be removed.
    var former: [Dependency: Owner] = [:]
    var pendingChanges: [PendingChange] = []
    var isFollowing = false
    var mustFollowAgain = false
    var hasEnded = false
  }

  private let observer: KeyValueObservable
  private let root: Owner
  private let path: ObservedPath
  private let options: NSKeyValueObservingOptions
  private let context: UnsafeMutableRawPointer?
  private let lock = Lock()
  private var state = State()

  private init(
    _ observer: KeyValueObservable, of root: KeyValueObservable, _ path: ObservedPath,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) {
    self.observer = observer
    self.root = Owner(root)
    self.path = path
    self.options = options
    self.context = context
    super.init()
  }

  package override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let owner = object.flatMap(observableObject), let keyPath, let root = root.object else { return }
    let dependency = Dependency(owner: ObjectIdentifier(owner), key: keyPath)
    if change?[.notificationIsPriorKey] as? Bool == true {
      willChange(dependency, of: root)
    } else {
      didChange(dependency, of: root)
    }
  }
}

// MARK: Beginning and ending

extension FollowedRegistration {
  /// The registrations, by the unique numbers in their context pointers.
  private final class Registry: @unchecked Sendable {
    private let lock = Lock()
    private var registrations: [UnsafeMutableRawPointer: FollowedRegistration] = [:]

    func insert(_ registration: FollowedRegistration, _ context: UnsafeMutableRawPointer) {
      lock.withLock { registrations[context] = registration }
    }

    func remove(_ context: UnsafeMutableRawPointer) -> FollowedRegistration? {
      lock.withLock { registrations.removeValue(forKey: context) }
    }
  }

  private static let registry = Registry()

  /// Registers for a path without a name.
  ///
  /// - Parameter context: A number that no other registration has.
  package static func begin(
    _ observer: KeyValueObservable, of root: KeyValueObservable, _ path: ObservedPath,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer
  ) {
    let registration = FollowedRegistration(observer, of: root, path, options: options, context: context)
    registry.insert(registration, context)
    registration.follow(from: root)
  }

  /// Ends a registration that ``begin(_:of:_:options:context:)`` began.
  ///
  /// - Parameter root: The object, which may be in its `deinit`.
  package static func end(of root: KeyValueObservable, context: UnsafeMutableRawPointer) {
    guard let registration = registry.remove(context) else { return }
    registration.lock.withLock { registration.state.hasEnded = true }
    registration.follow(from: root)
  }
}

// MARK: Following

extension FollowedRegistration {
  /// Registers with the properties that the path leads through now, and removes other registrations.
  private func follow(from root: KeyValueObservable) {
    let mustStart = lock.withLock {
      defer { state.isFollowing = true }
      if state.isFollowing { state.mustFollowAgain = true }
      return !state.isFollowing
    }
    guard mustStart else { return }
    var repetitions = 0
    repeat {
      let hasEnded = lock.withLock { state.hasEnded }
      let isNew = register(with: hasEnded ? [] : path.dependencies(from: root), root)
      // Another thread may have replaced an object on the path after it was read and before this registered with it. A
      // getter that makes new objects each time would never be read to its end, so there is a limit.
      if isNew, repetitions < Self.mostRepetitions {
        repetitions += 1
        lock.withLock { state.mustFollowAgain = true }
      }
    } while mustGoOn()
  }

  private static let mostRepetitions = 4

  private func mustGoOn() -> Bool {
    lock.withLock {
      defer { state.mustFollowAgain = false }
      state.isFollowing = state.mustFollowAgain
      return state.mustFollowAgain
    }
  }

  /// - Returns: Whether any of them is new.
  private func register(with found: [(owner: KeyValueObservable, key: String)], _ root: KeyValueObservable) -> Bool {
    var added: [(owner: KeyValueObservable, key: String)] = []
    var removed: [Dependency: Owner] = [:]
    // Released after the lock.
    var abandoned: [PendingChange] = []
    lock.withLock {
      var present = state.dependencies.merging(state.former) { $1 }
      state.dependencies = [:]
      for (owner, key) in found {
        let dependency = Dependency(owner: ObjectIdentifier(owner), key: key)
        guard state.dependencies[dependency] == nil else { continue }
        let known = present.removeValue(forKey: dependency)
        state.dependencies[dependency] = known ?? Owner(owner)
        if known == nil { added.append((owner, key)) }
      }
      state.former = present
      if state.hasEnded {
        swap(&abandoned, &state.pendingChanges)
        removed = present
      } else {
        // A change that has begun also ends here, where its prior call was sent.
        let pending = Set(state.pendingChanges.map(\.dependency))
        removed = present.filter { !pending.contains($0.key) }
      }
    }
    for (owner, key) in added {
      ObjectLifelines.insert(self, of: owner)
      owner.addObserver(self, forKeyPath: key, options: .prior, context: nil)
    }
    for (dependency, owner) in removed {
      // The root may be in its deinit, so it can't be found by a weak reference. Any other object that is in its deinit
      // removes the registration itself, on its own thread.
      let isRoot = dependency.owner == ObjectIdentifier(root)
      guard let owner = isRoot ? root : owner.object,
        lock.withLock({ state.former.removeValue(forKey: dependency) }) != nil
      else { continue }
      owner.removeObserver(self, forKeyPath: dependency.key, context: nil)
      ObjectLifelines.remove(self, of: owner)
    }
    withExtendedLifetime(abandoned) {}
    return !added.isEmpty
  }
}

extension FollowedRegistration: ObjectLifeline {
  package func objectIsDeallocated(_ object: Unmanaged<KeyValueObservable>, isReadable: Bool) {
    let identifier = object._withUnsafeGuaranteedRef { ObjectIdentifier($0) }
    let keys = lock.withLock {
      let gone = (Array(state.dependencies.keys) + state.former.keys).filter { $0.owner == identifier }
      for dependency in gone {
        state.dependencies[dependency] = nil
        state.former[dependency] = nil
      }
      return gone.map(\.key)
    }
    object._withUnsafeGuaranteedRef { object in
      // Each is a key without dots, so removing the observer reads nothing.
      for key in keys { object.removeObserver(self, forKeyPath: key, context: nil) }
    }
  }
}

// MARK: Changes

extension FollowedRegistration {
  private func willChange(_ dependency: Dependency, of root: KeyValueObservable) {
    let owners = lock.withLock {
      state.hasEnded || state.dependencies[dependency] == nil ? nil : Array(state.dependencies)
    }
    guard let owners else { return }
    let old = options.contains(.old) ? path.value(of: root) ?? NSNull() : nil
    let pending = PendingChange(
      thread: .current, dependency: dependency, old: old,
      owners: owners.compactMap { $0.owner == ObjectIdentifier(root) ? nil : $1.object })
    lock.withLock { state.pendingChanges.append(pending) }
    if options.contains(.prior) { send(old, isPrior: true, of: root) }
  }

  private func didChange(_ dependency: Dependency, of root: KeyValueObservable) {
    let thread = ThreadIdentity.current
    let (pending, isFormer) = lock.withLock {
      let pending = state.pendingChanges.lastIndex { $0.thread == thread && $0.dependency == dependency }
        .map { state.pendingChanges.remove(at: $0) }
      return (pending, isFormer: state.dependencies[dependency] == nil)
    }
    guard let pending else { return }
    follow(from: root)
    // A change inside this one that has led the path away from the property has sent the new value already.
    let isExpected = !isFormer || options.contains(.prior)
    if isExpected, !lock.withLock({ state.hasEnded }) { send(pending.old, isPrior: false, of: root) }
    withExtendedLifetime(pending) {}
  }

  private func send(_ old: Any?, isPrior: Bool, of root: KeyValueObservable) {
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: NSKeyValueChange.setting.rawValue)]
    change[.oldKey] = old
    if isPrior {
      change[.notificationIsPriorKey] = NSNumber(value: true)
    } else if options.contains(.new) {
      change[.newKey] = path.value(of: root) ?? NSNull()
    }
    observer.observeValue(forKeyPath: path.name, of: root, change: change, context: context)
  }
}

extension ObservedPath {
  /// The keys that the path leads through now, each with its object: those that reading it finds, and those with which it
  /// begins.
  fileprivate func dependencies(from root: KeyValueObservable) -> [(owner: KeyValueObservable, key: String)] {
    guard let read else { return [] }
    // The object to which the known keys lead. Reading might not find it.
    let reached = keysBesidesReads.reduce(Optional(root)) { object, key in
      object.flatMap { $0.value(forKey: key.text) }.flatMap(unwrapped).flatMap(observableObject)
    }
    // Whatever is read is known from then on, and so more keys may be.
    let (_, reads) = ReadTracker.reads(from: root, also: reached) { read($0) }
    var found = reads.map { (owner: $0.owner as KeyValueObservable, key: $0.name) }
    var object = root
    for key in keysBesidesReads {
      let (value, reads) = ReadTracker.reads(from: object) { $0.value(forKey: key.text) }
      // The changes of what the key reads are those of the key.
      found += reads.isEmpty ? [(object, key.text)] : reads.map { ($0.owner, $0.name) }
      guard let next = value.flatMap(unwrapped).flatMap(observableObject) else { break }
      object = next
    }
    return FollowedRegistration.withoutAffecting(found)
  }
}

extension FollowedRegistration {
  /// The keys without those whose changes also notify of another one of them, which declares that it depends on them.
  fileprivate static func withoutAffecting(
    _ found: [(owner: KeyValueObservable, key: String)]
  ) -> [(owner: KeyValueObservable, key: String)] {
    guard found.count > 1 else { return found }
    var affecting: Set<Dependency> = []
    for (owner, key) in found {
      let dependency = Dependency(owner: ObjectIdentifier(owner), key: key)
      guard !affecting.contains(dependency) else { continue }
      var own: Set = [dependency]
      addKeys(affecting: key, of: owner, to: &own)
      affecting.formUnion(own.subtracting([dependency]))
    }
    guard !affecting.isEmpty else { return found }
    return found.filter { !affecting.contains(Dependency(owner: ObjectIdentifier($0.owner), key: $0.key)) }
  }

  private static func addKeys(affecting key: String, of owner: KeyValueObservable, to keys: inout Set<Dependency>) {
    for keyPath in type(of: owner).keyPathsForValuesAffectingValue(forKey: key) {
      var object: KeyValueObservable? = owner
      var rest = keyPath.split(separator: ".")[...]
      while let owner = object, let key = rest.popFirst().map(String.init), !key.hasPrefix("@") {
        if keys.insert(Dependency(owner: ObjectIdentifier(owner), key: key)).inserted {
          addKeys(affecting: key, of: owner, to: &keys)
        }
        object = rest.isEmpty ? nil : owner.value(forKey: key).flatMap(unwrapped).flatMap(observableObject)
      }
    }
  }
}
