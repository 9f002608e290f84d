#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// An object whose base class's `deinit` has begun. Its slot looks like that of an idle one.
@Suite struct DeallocatingObjectTests {
  /// Also on a thread that has never set a property of an idle object.
  @Test func itsPropertiesAreSet() {
    for isObserved in [false, true] {
      onThreads(1) { _ in
        let seen = Locked<[Int]>([])
        do {
          let mortal = Mortal()
          if isObserved {
            let recorder = Recorder()
            recorder.observe(mortal, "number")
            recorder.unobserve(mortal, "number")
            for number in 1...200 { mortal.number = number }
          }
          mortal.willSetNumberWhenItDies(seen)
        }
        #expect(seen.current == [8, 8])
      }
    }
  }
}

private final class Mortal: KeyValueObject {
  @Observed var number = 0

  // Not inlined, so that nothing else retains the associated object.
  @inline(never)
  func willSetNumberWhenItDies(_ seen: Locked<[Int]>) {
    associate(Last(self, seen), AssociationKey(), replacing: false)
  }
}

/// An object that is released by the base class's `deinit` of another one.
private final class Last {
  private unowned(unsafe) let owner: Mortal
  private let seen: Locked<[Int]>

  init(_ owner: Mortal, _ seen: Locked<[Int]>) {
    self.owner = owner
    self.seen = seen
  }

  deinit {
    for _ in 0..<2 {
      owner.number = 7
      owner.number += 1
      let number = owner.number
      seen.append(number)
    }
  }
}
#endif
