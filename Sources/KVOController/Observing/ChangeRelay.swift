/// What notifies closures of the changes of one key of its own, which are those of a path: Foundation, or in tests what takes its
/// place.
///
/// The value of the key is ``ChangeRelay/value``. It is read while the key is observed or notifies, on the same thread.
package protocol RelayedKey: AnyObject {
  /// Notifies that the value is about to change: at these indexes, or as a whole.
  func willChange(_ kind: NSKeyValueChange, at indexes: IndexSet?)
  func didChange(_ kind: NSKeyValueChange, at indexes: IndexSet?)
}

/// Relays the changes of a path as changes of one key of another object, because only Foundation can create its tokens and changes.
///
/// 1. ``begin(at:for:observe:)`` registers it with the engine, and then lets Foundation observe the key.
/// 2. Each change is a beginning and an end. Foundation takes the end only on the thread on which it was notified of the beginning,
///    and reads the values itself, which are those of the engine's notifications as far as these have them.
/// 3. ``keyIsUnobserved()`` ends it.
///
/// - Thread safety: The changes are guarded by their lock. The rest is written by the thread that begins, before it returns.
final class ChangeRelay: Observance, @unchecked Sendable {
  private struct State {
    var changes = OpenChanges()
    /// The objects for which threads are notifying. They may be in their `deinit`, so no reference outlasts the call.
    var callers: [(thread: UInt, object: KeyValueObject)] = []
  }

  /// What the user has passed. The engine must always say that a change is about to happen.
  override var requestedOptions: NSKeyValueObservingOptions { userOptions }
  private let userOptions: NSKeyValueObservingOptions
  private let state = LockedState(State())
  private var weakKey = WeakReference(nil)
  private var key: (any RelayedKey)? { weakKey.object as? any RelayedKey }
  private var isInitialDue = false
  private var hasBegun = false

  init(_ path: ObservedPath, _ options: NSKeyValueObservingOptions) {
    userOptions = options
    super.init(path, options: options.union(.prior), .closure)
  }

  /// Begins, and returns Foundation's token. Foundation makes the initial call before it inserts the observer, which
  /// would miss what is changed within. So another observation makes it, when the first one is there; and not while the
  /// value is being mutated, whose end notifies.
  func begin(
    at object: KeyValueObject, for key: any RelayedKey,
    observe: (NSKeyValueObservingOptions) -> NSKeyValueObservation
  ) -> NSKeyValueObservation {
    weakKey = WeakReference(key)
    begin(at: object)
    return call(for: object) {
      let token = observe(userOptions.subtracting(.initial))
      if isInitialDue { observe(userOptions.intersection([.initial, .new])).invalidate() }
      hasBegun = true
      return token
    }
  }

  /// Called when Foundation doesn't observe the key any longer, because the token is invalidated or released.
  func keyIsUnobserved() {
    if hasBegun { end() }
  }

  /// The object for which this thread is notifying.
  var object: KeyValueObject? {
    let thread = CurrentThread.identity
    return state.withLock { state in state.callers.last { $0.thread == thread }?.object }
  }

  /// The value at the end of the path; nil if the path is nil at some step.
  var value: Any? {
    if let held = state.withLock({ $0.changes.latest }), held.isRequested { return held.unwrapped }
    return object.flatMap { read(from: $0).value }
  }

  override func deliver(_ change: borrowing KeyValueChange) {
    guard let object = change.object?.own else { return }
    if change.attributes.isInitial {
      isInitialDue = true
      return
    }
    // A set's mutation becomes a setting, of which the notification has only a part of the values.
    let kind = change.attributes.kind
    let isWhole = kind == .setting
    let (old, new) = isWhole ? (change.old.kept, change.new.kept) : (.notRequested, .notRequested)
    let indexes = change.indexes
    call(for: object) {
      if change.attributes.isPrior {
        state.withLock { $0.changes.begin(old: old) }
        key?.willChange(kind, at: indexes)
      } else if state.withLock({ $0.changes.end() }) != nil {
        hold(new) { key?.didChange(kind, at: indexes) }
      } else {
        // Another thread had begun the change when the observance was registered, and the prior call was over.
        hold(old) { key?.willChange(.setting, at: nil) }
        hold(new) { key?.didChange(.setting, at: nil) }
      }
    }
  }

  private func call<Result>(for object: KeyValueObject, _ body: () -> Result) -> Result {
    let thread = CurrentThread.identity
    state.withLock { $0.callers.append((thread, object)) }
    defer {
      state.withLock { state in
        if let index = state.callers.lastIndex(where: { $0.thread == thread }) { state.callers.remove(at: index) }
      }
    }
    return body()
  }

  /// Calls `body` while the value of the key is this one, if it is known.
  private func hold(_ value: ChangedValue, _ body: () -> Void) {
    state.withLock { $0.changes.begin(old: value) }
    body()
    let held = state.withLock { $0.changes.end() }
    withExtendedLifetime(held) {}
  }
}
