#if canImport(Observation) && !canImport(ObjectiveC)
import Observation
import Synchronization

/// A cache of which classes conform to `Observable`, which is checked for each object that is created.
///
/// Asking the runtime takes longer than creating an object. So the answers are stored in a table, at an index derived
/// from the class's address. Each entry is the address, with the answer in its lowest bit. Classes with the same index
/// replace each other.
enum ObservableClasses {
  private static let count = 256
  // Initialized once; it points to atomics.
  nonisolated(unsafe) private static let answers: UnsafeMutablePointer<Atomic<UInt>> = {
    let answers = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: count)
    for index in 0..<count { (answers + index).initialize(to: Atomic(0)) }
    return answers
  }()

  @inline(__always)
  static func contains(_ type: KeyValueObject.Type) -> Bool {
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let answer = answers + Int(bitPattern: (address >> 4 ^ address >> 12) & UInt(count - 1))
    let known = answer.pointee.load(ordering: .relaxed)
    guard known & ~1 == address else { return find(type, answer) }
    return known & 1 != 0
  }

  @inline(never)
  private static func find(_ type: KeyValueObject.Type, _ answer: UnsafeMutablePointer<Atomic<UInt>>) -> Bool {
    let isObservable = type is any Observable.Type
    answer.pointee.store(UInt(bitPattern: ObjectIdentifier(type)) | (isObservable ? 1 : 0), ordering: .relaxed)
    return isObservable
  }
}
#endif
