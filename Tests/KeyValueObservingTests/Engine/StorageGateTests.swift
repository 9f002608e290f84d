#if !canImport(ObjectiveC)
import KeyValueObserving
import Testing

/// The gate's state, step by step: which thread waits for which, and which one sweeps.
@Suite struct StorageGateTests {
  typealias State = StorageGate.State
  private let gate = GateHolder()

  @Test func aSetterStoresThenDeliversThenLeaves() {
    #expect(!gate.state.isStoring && !gate.state.isDelivering)
    gate.enter()
    #expect(gate.state.isStoring && gate.state.isDelivering)
    gate.endStoring()
    #expect(!gate.state.isStoring && gate.state.isDelivering)
    #expect(!gate.leave())
    #expect(gate.state == State(bits: 0))
  }

  @Test func settersStoreAndDeliverSideBySide() {
    gate.enter()
    gate.enter()
    gate.endStoring()
    #expect(gate.state.isStoring)
    gate.endStoring()
    #expect(!gate.leave())
    #expect(gate.state.isDelivering)
    #expect(!gate.leave())
    gate.enter()
    #expect(!gate.leaveWithoutDelivery().leavesSweep)
    #expect(gate.state == State(bits: State.quiet))
  }

  @Test func theLockIsTakenDuringDeliveries() {
    gate.enter()
    gate.endStoring()
    gate.lock()
    #expect(gate.state.isLocked && gate.isDelivering)
    #expect(!gate.unlock())
    #expect(!gate.leave())
  }

  @Test func theLastToLeaveSweeps() {
    gate.enter()
    gate.endStoring()
    gate.enter()
    gate.endStoring()
    gate.lock()
    gate.askForSweep()
    #expect(!gate.unlock())
    #expect(!gate.leave())
    #expect(gate.leave())
    gate.lock()
    #expect(!gate.isDelivering)
    gate.didSweep()
    #expect(!gate.unlock())
    #expect(gate.state == State(bits: 0))
  }

  @Test func whoGivesTheLockBackSweepsWhenTheLastLeftMeanwhile() {
    gate.enter()
    gate.endStoring()
    gate.lock()
    #expect(gate.isDelivering)
    #expect(!gate.leave())
    gate.askForSweep()
    #expect(gate.unlock())
  }

  @Test func aGateIsIdleFromManyQuietPassagesToTheNextLock() {
    pass(63)
    #expect(!gate.state.isLongQuiet)
    pass(1)
    #expect(gate.state.isLongQuiet && !gate.state.isIdle && !gate.state.isDelivering)
    #expect(!gate.lock())
    gate.becomeIdle()
    #expect(gate.state.isIdle && gate.state.isLocked)
    #expect(!gate.unlock())
    #expect(gate.state.isIdle)
    pass(200)
    #expect(gate.state.isIdle && !gate.state.isLongQuiet)
    #expect(gate.lock())
    #expect(!gate.state.isIdle)
    #expect(!gate.unlock())
    #expect(gate.state == State(bits: 0))
  }

  @Test func quietPassagesAreCountedFromTheLatestLock() {
    pass(63)
    gate.lock()
    #expect(!gate.unlock())
    pass(63)
    #expect(!gate.state.isLongQuiet)
  }

  private func pass(_ count: Int) {
    for _ in 0..<count {
      gate.enter()
      #expect(!gate.leaveWithoutDelivery().leavesSweep)
    }
  }

  @Test func aSetterThatIsNotCountedMayStoreUnlessTheGateIsLocked() {
    #expect(gate.enterUncounted())
    #expect(!gate.state.isStoring && gate.state.isDelivering)
    #expect(gate.reenterUncounted())
    gate.lock()
    #expect(gate.isDelivering)
    #expect(!gate.reenterUncounted())
    #expect(!gate.enterUncounted())
    #expect(!gate.leave())
    gate.askForSweep()
    #expect(!gate.unlock())
    #expect(gate.reenterUncounted())
    #expect(gate.leave())
  }

  @Test func aDeliveryMayStoreAgainUnlessTheGateIsLocked() {
    gate.enter()
    gate.endStoring()
    #expect(gate.reenter())
    #expect(gate.state.isStoring)
    gate.endStoring()
    gate.lock()
    #expect(!gate.reenter())
    #expect(!gate.state.isStoring && gate.isDelivering)
    #expect(!gate.unlock())
    #expect(!gate.leave())
    #expect(gate.state == State(bits: 0))
  }

  @Test func bitsDoNotTouchEachOther() {
    let many = State(bits: State.storing * 0x1FFF_FFFF)
    #expect(many.isStoring && !many.isDelivering && !many.isLocked && !many.needsSweep)
    #expect(!State(bits: State.locked | State.sweep).isStoring)
    #expect(State(bits: State.sweep).leavesSweep)
    #expect(!State(bits: State.sweep | State.delivering).leavesSweep)
    #expect(!State(bits: State.delivering | State.locked | State.sweep | State.idle | State.quiet).isStoring)
    #expect(!State(bits: State.quiet * 127 | State.sweep | State.storing).isDelivering)
    #expect(State(bits: State.quiet * 127 | State.delivering * 0xFF_FFFF).isDelivering)
  }
}
/// A gate that can be passed about.
private final class GateHolder {
  private let gate = StorageGate()

  var state: StorageGate.State { gate.state }
  var isDelivering: Bool { gate.isDelivering }

  func enter() { gate.enter() }
  func enterUncounted() -> Bool { gate.enterUncounted() }
  func reenterUncounted() -> Bool { gate.reenterUncounted() }
  func reenter() -> Bool { gate.reenter() }
  func endStoring() { gate.endStoring() }
  func leave() -> Bool { gate.leave() }
  func leaveWithoutDelivery() -> StorageGate.State { gate.leaveWithoutDelivery() }
  @discardableResult func lock() -> Bool { gate.lock() }
  func unlock() -> Bool { gate.unlock() }
  func becomeIdle() { gate.becomeIdle() }
  func askForSweep() { gate.askForSweep() }
  func didSweep() { gate.didSweep() }
}
#endif
