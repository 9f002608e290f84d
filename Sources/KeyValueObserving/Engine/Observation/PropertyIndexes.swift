#if canImport(Observation) && !canImport(ObjectiveC)
import Synchronization

/// The properties of a class by Swift key path, which are looked up for each read of an object that was ever tracked.
///
/// A key path literal is one object, which is identified by its address. The table retains its key paths, so that no
/// address is reused.
final class PropertyIndexes: Sendable {
  /// The property of a key path. It is never deallocated.
  final class Entry: Sendable {
    // Key paths are immutable.
    nonisolated(unsafe) let keyPath: AnyKeyPath
    let index: Int
    /// The property's name, if its value depends on other keys.
    let dependentName: String?
    let isDependent: Bool

    init(_ keyPath: AnyKeyPath, index: Int, dependentName: String?) {
      self.keyPath = keyPath
      self.index = index
      self.dependentName = dependentName
      isDependent = dependentName != nil
    }
  }

  private static let count = 128
  // Each is nil or the address of an entry, and is written once.
  nonisolated(unsafe) private let entries: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>

  init() {
    entries = .allocate(capacity: Self.count)
    for index in 0..<Self.count { (entries + index).initialize(to: Atomic(nil)) }
  }

  deinit {
    for index in 0..<Self.count {
      (entries + index).pointee.load(ordering: .acquiring).map { Unmanaged<Entry>.fromOpaque($0).release() }
    }
    entries.deinitialize(count: Self.count).deallocate()
  }

  /// Calls `body` with the entry of the key path.
  ///
  /// - Returns: Whether there is an entry.
  @inline(__always)
  func withEntry(of keyPath: AnyKeyPath, _ body: (Entry) -> Void) -> Bool {
    guard let known = place(of: keyPath).pointee.load(ordering: .acquiring) else { return false }
    return Unmanaged<Entry>.fromOpaque(known)._withUnsafeGuaranteedRef { entry in
      guard entry.keyPath === keyPath else { return false }
      body(entry)
      return true
    }
  }

  /// Stores the entry of a key path, unless its place is taken.
  func insert(_ entry: Entry) {
    let kept = Unmanaged.passRetained(entry)
    let (isKept, _) = place(of: entry.keyPath).pointee.compareExchange(
      expected: nil, desired: UnsafeRawPointer(kept.toOpaque()), ordering: .acquiringAndReleasing)
    if !isKept { kept.release() }
  }

  @inline(__always)
  private func place(of keyPath: AnyKeyPath) -> UnsafeMutablePointer<Atomic<UnsafeRawPointer?>> {
    let address = UInt(bitPattern: ObjectIdentifier(keyPath))
    return entries + Int(bitPattern: (address >> 4 ^ address >> 11) & UInt(Self.count - 1))
  }
}
#endif
