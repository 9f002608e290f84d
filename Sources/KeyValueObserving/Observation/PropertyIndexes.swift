#if canImport(Observation) && !canImport(ObjectiveC)
import Synchronization

/// The properties of a class by their Swift key paths, found for each read of an object that was ever tracked.
///
/// The compiler makes one object of a key path that is written out, which is known by its address. The table holds those
/// that it knows, so that no address belongs to another.
final class PropertyIndexes: Sendable {
  /// What is known of a key path, kept as long as the process lives.
  final class Entry: Sendable {
    // Key paths are immutable.
    nonisolated(unsafe) let keyPath: AnyKeyPath
    let index: Int
    /// The property's name, if its value depends on other keys.
    let dependentName: String?

    init(_ keyPath: AnyKeyPath, index: Int, dependentName: String?) {
      self.keyPath = keyPath
      self.index = index
      self.dependentName = dependentName
    }
  }

  private static let count = 128
  // Each is nil or the address of an entry. They are written once.
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

  /// Runs `body` with what is known of the key path.
  ///
  /// - Returns: False if nothing is.
  @inline(__always)
  func withEntry(of keyPath: AnyKeyPath, _ body: (Entry) -> Void) -> Bool {
    guard let known = place(of: keyPath).pointee.load(ordering: .acquiring) else { return false }
    return Unmanaged<Entry>.fromOpaque(known)._withUnsafeGuaranteedRef { entry in
      guard entry.keyPath === keyPath else { return false }
      body(entry)
      return true
    }
  }

  /// Keeps what is known of a key path, unless its place is taken.
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
