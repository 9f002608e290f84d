#if canImport(Observation) && !canImport(ObjectiveC)
import Observation
import Synchronization

/// A cache of which classes conform to `Observable`, which is checked for each object that is created.
///
/// Asking the runtime takes longer than creating an object. So the answers are stored in a table, at an index derived
/// from the class's address. Each entry is the address, with the answer in its lowest bit. Classes with the same index
/// replace each other.
enum ObservableClasses {
  /// The entries of the table. A struct of structs is initialized at compile time, unlike an array or a pointer, so that
  /// no object that is created checks whether the table exists.
  private struct Answers: ~Copyable, Sendable {
    struct Four: ~Copyable, Sendable {
      let answer0 = Atomic<UInt>(0), answer1 = Atomic<UInt>(0), answer2 = Atomic<UInt>(0), answer3 = Atomic<UInt>(0)
    }

    struct Sixteen: ~Copyable, Sendable {
      let answers0 = Four(), answers4 = Four(), answers8 = Four(), answers12 = Four()
    }

    struct SixtyFour: ~Copyable, Sendable {
      let answers0 = Sixteen(), answers16 = Sixteen(), answers32 = Sixteen(), answers48 = Sixteen()
    }

    let answers0 = SixtyFour(), answers64 = SixtyFour(), answers128 = SixtyFour(), answers192 = SixtyFour()
  }

  private static let answers = Answers()

  @inline(__always)
  static func contains(_ type: KeyValueObject.Type) -> Bool {
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let difference = withAnswer(address) { $0.load(ordering: .relaxed) } ^ address
    guard difference <= 1 else { return find(type) }
    return difference == 1
  }

  @inline(never)
  private static func find(_ type: KeyValueObject.Type) -> Bool {
    let isObservable = type is any Observable.Type
    let address = UInt(bitPattern: ObjectIdentifier(type))
    withAnswer(address) { $0.store(address | (isObservable ? 1 : 0), ordering: .relaxed) }
    return isObservable
  }

  /// Calls `body` with the entry for the class at `address`.
  @inline(__always)
  private static func withAnswer<Result>(_ address: UInt, _ body: (borrowing Atomic<UInt>) -> Result) -> Result {
    withUnsafePointer(to: answers) { answers in
      // A table is 256 atomics and nothing else, which are never moved.
      let first = UnsafeRawPointer(answers).assumingMemoryBound(to: Atomic<UInt>.self)
      return body(first[Int(address >> 4 & 255)])
    }
  }
}
#endif
