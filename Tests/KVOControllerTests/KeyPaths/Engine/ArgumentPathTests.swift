#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Key paths with arguments, which are created for each use, and equal if their arguments are.
/// One test at a time, because what is known of an equal one is known to all.
@Suite(.serialized) struct ArgumentPathTests {
  private final class Cell: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0
  }

  private final class Argument: Hashable, Sendable {
    let index: Int
    init(_ index: Int) { self.index = index }
    static func == (left: Argument, right: Argument) -> Bool { left.index == right.index }
    func hash(into hasher: inout Hasher) { hasher.combine(index % 2) }
  }

  private final class Board: KeyValueObject, @unchecked Sendable {
    @Observed var cells = (0..<4).map { _ in Cell() }
    let reads = Locked(0)
    subscript(argument: Argument) -> Cell {
      reads.add()
      return cells[argument.index]
    }
  }

  private let board = Board()
  private let recorder = Recorder()

  /// How often `body` reads the subscript.
  private func reads(_ body: () -> Void) -> Int {
    let former = board.reads.current
    body()
    return board.reads.current - former
  }

  @Test func anEqualOneIsKnownWhileItIsObserved() {
    let controller = KVOController(observer: recorder)
    let first = reads { _ = controller.listen(to: board, \.[Argument(1)].number) }
    #expect(reads { controller.unobserve(board, \.[Argument(2)].number) } > 0)
    var received: ReceivedChanges<Int>?
    #expect(reads { received = controller.listen(to: board, \.[Argument(1)].number).0 } < first)
    board.cells[1].number = 1
    #expect(received?.new == [1])
    #expect(reads { controller.unobserve(board, \.[Argument(1)].number) } == 0)
    #expect(board.registrationCount == 0)
    // After the last observation has ended, nothing is known of it.
    #expect(reads { controller.unobserve(board, \.[Argument(1)].number) } > 0)
  }

  @Test func nothingIsLeftOfOneAfterItsLastObservation() {
    let controllers = [KVOController(observer: recorder), KVOController(observer: recorder)]
    var arguments: [Weak<Argument>] = []
    for index in [0, 1, 2, 3, 0, 2] {
      let argument = Argument(index)
      arguments.append(Weak(argument))
      for controller in controllers { _ = controller.listen(to: board, \.[argument].number) }
    }
    #expect(arguments.contains { $0.isAlive })
    controllers[0].unobserveAll()
    board.cells.reverse()
    for index in 0..<4 { controllers[1].unobserve(board, \.[Argument(index)].number) }
    #expect(board.registrationCount == 0)
    #expect(!arguments.contains { $0.isAlive })
  }

  @Test func equalOnesBeginAndEndOnSeveralThreads() {
    let weak = Locked<[Weak<Argument>]>([])
    let board = board
    onThreads(4) { thread in
      let recorder = Recorder()
      let controller = KVOController(observer: recorder)
      for round in 0..<200 {
        let argument = Argument(round % 4)
        if round == 100 + thread { weak.append(Weak(argument)) }
        let (_, token) = controller.listen(to: board, \.[argument].number)
        #expect(token.isValid)
        controller.unobserve(board, \.[Argument(round % 4)].number)
        #expect(!token.isValid)
      }
      withExtendedLifetime(recorder) {}
    }
    #expect(board.registrationCount == 0)
    #expect(weak.current.count { !$0.isAlive } == 4)
  }
}
#endif
