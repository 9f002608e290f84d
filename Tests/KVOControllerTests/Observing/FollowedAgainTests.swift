import KVOController
import Testing
import _KVOTestSupport

/// A getter is followed again after each change, and usually reads what it has read before. Where it doesn't, nothing is missed, and
/// nothing is heard that doesn't matter any longer.
@Suite struct FollowedAgainTests {
  final class Part: KeyValueObject {
    @Observed var number = 0
    weak var friend: Part?
  }

  final class Whole: KeyValueObject {
    @Observed var first = 0
    @Observed var second = 0
    @Observed var third = 0
    @Observed var fourth = 0
    @Observed var parts: [Part] = []
    private var isSmall: Bool { first < 5 }

    /// Read one property or another one between two.
    var between: Int { first + (isSmall ? second : third) + fourth }
    var listedBetween: Int { between }
    /// Reads less, and more.
    var less: Int { isSmall ? first + second + fourth : first }
    /// Reads in another order, and something new.
    var reordered: Int { isSmall ? first + second + fourth : first + fourth + third }
    /// Reads several times.
    var repeated: Int { parts.reduce(second) { $0 + $1.number * first + second } }
    var throughFriend: Int { first + (parts[0].friend?.number ?? third) + fourth }

    override class var keyPaths: [String: AnyKeyPath] { ["listedBetween": \Whole.listedBetween] }
  }

  private let whole = Whole()
  private let recorder = Recorder()
  private let received = Locked<[Int]>([])

  private func observe(_ keyPath: KeyPath<Whole, Int>) {
    recorder.kvoController.observe(whole, keyPath, options: .new) { [received] _, change in
      received.append(change.newValue ?? -1)
    }
  }

  private func heard(_ change: () -> Void) -> [Int] {
    change()
    return received.take()
  }

  @Test(arguments: [\Whole.between, \.listedBetween] as [KeyPath<Whole, Int> & Sendable])
  func anotherPropertyIsReadBetweenTwo(keyPath: KeyPath<Whole, Int> & Sendable) {
    observe(keyPath)
    #expect(heard { whole.fourth = 100 } == [100])
    #expect(heard { whole.first = 5 } == [105])
    #expect(heard { whole.second = 10 } == [])
    #expect(heard { whole.third = 30 } == [135])
    #expect(heard { whole.fourth = 200 } == [235])
    #expect(heard { whole.first = 1 } == [211])
    #expect(heard { whole.third = 40 } == [])
    #expect(heard { whole.second = 20 } == [221])
  }

  @Test func lessIsReadAndMore() {
    observe(\.less)
    #expect(heard { whole.fourth = 100 } == [100])
    #expect(heard { whole.first = 5 } == [5])
    #expect(heard { whole.second = 10 } + heard { whole.fourth = 200 } == [])
    #expect(heard { whole.first = 1 } == [211])
    #expect(heard { whole.second = 20 } == [221])
  }

  @Test func theOrderChanges() {
    observe(\.reordered)
    #expect(heard { whole.fourth = 100 } == [100])
    #expect(heard { whole.first = 5 } == [105])
    #expect(heard { whole.fourth = 200 } == [205])
    #expect(heard { whole.third = 30 } == [235])
    #expect(heard { whole.second = 10 } == [])
    #expect(heard { whole.first = 0 } == [210])
  }

  @Test func propertiesAreReadSeveralTimes() {
    let parts = (0..<3).map { _ in Part() }
    whole.parts = parts
    observe(\.repeated)
    #expect(heard { whole.first = 2 } == [0])
    #expect(heard { parts[2].number = 10 } == [20])
    #expect(heard { whole.parts = [parts[2], parts[0]] } == [20])
    #expect(heard { parts[1].number = 7 } == [])
    #expect(heard { parts[0].number = 1 } == [22])
    #expect(heard { whole.second = 100 } == [322])
  }

  @Test func anObjectHasDied() {
    var friend: Part? = Part()
    whole.parts = [Part()]
    whole.parts[0].friend = friend
    observe(\.throughFriend)
    #expect(heard { friend?.number = 20 } == [20])
    #expect(heard { whole.first = 1 } == [21])
    friend = nil
    #expect(heard { whole.first = 2 } == [2])
    #expect(heard { whole.third = 30 } == [32])
    #expect(heard { whole.fourth = 100 } == [132])
  }

  @Test func nothingIsObservedAfterwards() {
    let parts = (0..<3).map { _ in Part() }
    whole.parts = parts
    observe(\.repeated)
    whole.first = 2
    whole.parts = [parts[1]]
    whole.first = 3
    recorder.kvoController.unobserveAll()
    #expect(([whole] + parts).map(\.registrationCount) == [0, 0, 0, 0])
  }
}
