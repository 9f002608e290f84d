import Foundation
import KVOController
import Testing
import _KVOTestSupport

/// A thread makes a million changes, while an actor that observes them makes its own.
@Suite(.watched) @MainActor struct DeliveryStormTests {
  private final class Order: KeyValueObject, @unchecked Sendable {
    @Observed var items = 0
    @Observed var fee = 0
    @Observed var round = 0

    /// The rounds weigh more than all items. The fee, which depends on the items, only notifies.
    static let weight = 1_000_000_000
    var total: Int { round * Self.weight + items }

    override class var keyPaths: [String: AnyKeyPath] { ["total": \Order.total] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "total" ? ["items", "fee", "round"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  private final class Screen: KeyValueObject {
    var items = 0 {
      didSet { isOrdered = isOrdered && items > oldValue }
    }
    var total = 0
    var isOrdered = true
    var depth = 0
    var deepest = 0
    var calls = 0
  }

  private let order = Order()
  private let screen = Screen()

  private func observe() {
    screen.observe(order, \.total, options: [.initial, .new]) { screen, order, change in
      screen.depth += 1
      screen.deepest = max(screen.deepest, screen.depth)
      screen.calls += 1
      screen.isOrdered = screen.isOrdered && change.newValue! >= screen.total
      screen.total = change.newValue!
      // One change of the handler for each change of the items.
      let items = screen.total % Order.weight
      if order.fee < items { order.fee = items }
      screen.depth -= 1
    }
  }

  @Test func anActorSetsBindsNestsAndEndsWhileAThreadMakesManyChanges() async {
    let (order, screen) = (order, screen)
    let count = isSanitized ? 20_000 : aMillionCycles
    screen.bind(order, \.items, to: \.items)
    observe()
    let isDone = Locked(false)
    Thread.detachNewThread {
      for items in 1...count { order.items = items }
      isDone.withLock { $0 = true }
    }
    while !isDone.current {
      order.round += 1
      // The set has returned after its own change.
      #expect(screen.total / Order.weight == order.round)
      if order.round.isMultiple(of: 3) {
        screen.unobserve(order, \.total)
        let calls = screen.calls
        order.round += 1
        #expect(screen.calls == calls)
        observe()
      }
      await Task.yield()
    }
    while screen.items != count || screen.total != order.total { await Task.yield() }
    #expect(order.fee == count)
    #expect(screen.deepest <= 4)
    #expect(screen.isOrdered)
    #expect(screen.calls >= count)
    screen.unobserve(order)
    screen.kvoController.unobserveAll()
    #expect(order.registrationCount == 0)
  }

  // Each process measures only its own memory.
  @Test(.enabled(if: seesGrowth)) func memoryOfChangesThatHaveWaitedIsGivenBack() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await Self.reportMemoryOfWaitingChanges()
    }
    #expect(growth(result) == [])
  }

  private static func reportMemoryOfWaitingChanges() async {
    let (order, screen) = (Order(), Screen())
    screen.observe(order, \.items, options: [.old, .new]) { screen, _, _ in screen.calls += 1 }
    func wait(for count: Int) async {
      screen.calls = 0
      // All changes wait before the first one is delivered.
      onThreads(1) { _ in for items in 1...count { order.items = items } }
      while screen.calls < count { await Task.yield() }
    }
    // At first caches are filled, and threads are made.
    for _ in 0..<5 { await wait(for: 1000) }
    let before = memoryInUse
    await wait(for: aMillionCycles)
    let growth = memoryInUse - before
    if growth > 1 << 20 { FileHandle.standardError.write(Data("waiting changes: \(growth) bytes more\n".utf8)) }
  }
}
