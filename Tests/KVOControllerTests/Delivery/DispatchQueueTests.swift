import KVOController
import Testing
import _KVOTestSupport

/// Blocks that are called on a dispatch queue.
@Suite struct DispatchQueueTests {
  private let song = Song()
  private let recorder = Recorder()
  private let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  @Test func callsComeInOrderAndOneAfterTheOther() {
    let queue = DispatchQueue(label: "numbers", attributes: .concurrent)
    let (numbers, running) = (Locked<[Int]>([]), Locked(0))
    controller.observe(song, keyPaths: ["plays"], options: [.initial, .new], on: queue) { _, _, change in
      running.withLock { running in
        running += 1
        #expect(running == 1)
      }
      numbers.append(change[.newKey] as? Int ?? -1)
      running.withLock { $0 -= 1 }
    }
    for plays in 1...500 { song.plays = plays }
    while numbers.current.count < 501 { sched_yield() }
    #expect(numbers.current == Array(0...500))
  }

  @Test func nothingComesToTheQueueAfterItHasEnded() {
    let queue = DispatchQueue(label: "numbers")
    let calls = Locked(0)
    controller.observe(song, keyPaths: ["plays", "title"], options: [], on: queue) { _, _, _ in calls.add() }
    // Controllers can be used on any thread.
    nonisolated(unsafe) let controller = controller
    queue.sync {
      song.plays = 1
      song.title = "A"
      controller.unobserve(song)
    }
    song.plays = 2
    queue.sync {}
    #expect(calls.current == 0)
  }

  @Test func theQueueIsShown() {
    controller.observe(song, keyPaths: ["plays"], options: [], on: DispatchQueue(label: "a queue")) { _, _, _ in }
    #expect(controller.debugDescription.contains("on the queue a queue"))
  }
}
