import KVOController
import Testing
import _KVOTestSupport

/// A class may override the methods that register and remove observers, for example to count them.
@Suite struct OverriddenRegistrationTests {
  class Counting: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0
    @Observed var other: Counting?
    var square: Int { number * number }
    private(set) var added: [String] = []
    private(set) var removed: [String] = []

    override func addObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
      context: UnsafeMutableRawPointer?
    ) {
      added.append(keyPath)
      super.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    }

    override func removeObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
      removed.append(keyPath)
      super.removeObserver(observer, forKeyPath: keyPath, context: context)
    }
  }

  let watcher = Watcher()
  let controller: KVOController

  init() {
    controller = KVOController(observer: watcher)
  }

  @Test(arguments: Form.all) func bothCallsArriveForEachForm(form: Form) {
    let counting = Counting()
    controller.observe(counting, "number", as: form)
    #expect(counting.added == ["number"])
    counting.number = 1
    #expect(watcher.count == 1)
    controller.unobserve(counting, keyPath: "number")
    #expect(counting.removed == ["number"])
    #expect(counting.observationInfo == nil)
  }

  @Test func bothCallsArriveForTypedPathsWhateverEndsThem() {
    let counting = Counting()
    var heard = 0
    let token = controller.observe(counting, \.number) { _, _ in heard += 1 }
    controller.observe(counting, \.other?.number) { _, _ in heard += 1 }
    counting.number = 1
    counting.other = Counting()
    #expect(heard == 2)
    token.invalidate()
    controller.unobserveAll()
    #expect(counting.added.count == 2)
    #expect(counting.removed == counting.added)
    #expect(counting.observationInfo == nil)
  }

  @Test func aPathThatIsFollowedByReadingIsOneToo() {
    let counting = Counting()
    var heard: [Int?] = []
    controller.observe(counting, \.square) { _, change in heard.append(change.newValue) }
    counting.number = 3
    controller.unobserveAll()
    #expect(heard == [9])
    #expect(counting.added.count == 1)
    #expect(counting.removed == counting.added)
  }

  @Test func aTokenOfTheObjectsOwnObserveMakesBothCalls() {
    let counting = Counting()
    var heard: [Int?] = []
    var token: NSKeyValueObservation? = counting.observe(\.number, options: .new) { _, change in
      heard.append(change.newValue)
    }
    counting.number = 2
    #expect(counting.added == ["number"])
    token?.invalidate()
    token = nil
    #expect(counting.removed == ["number"])
    #expect(heard == [2])
  }

  /// Doesn't pass on what it isn't interested in, and asks for more than it was asked for.
  final class Choosing: Counting, @unchecked Sendable {
    override func addObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
      context: UnsafeMutableRawPointer?
    ) {
      guard keyPath != "other" else { return }
      super.addObserver(observer, forKeyPath: keyPath, options: options.union(.old), context: context)
    }

    override func removeObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
      guard keyPath != "other" else { return }
      super.removeObserver(observer, forKeyPath: keyPath, context: context)
    }
  }

  @Test func anOverrideDecidesWhatIsRegistered() {
    let choosing = Choosing()
    controller.observe(choosing, "number", as: Form(way: .changeAction), options: .new)
    controller.observe(choosing, "other", as: Form(way: .changeAction), options: .new)
    choosing.number = 1
    choosing.other = Counting()
    #expect(watcher.changes == [.setting(new: 1, old: 0)])
    controller.unobserveAll()
    #expect(choosing.observationInfo == nil)
  }

  /// Registers nobody, so nothing is notified of its deallocation.
  private final class Deaf: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0

    override func addObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
      context: UnsafeMutableRawPointer?
    ) {}

    override func removeObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {}
  }

  private final class Hearing: KeyValueObject {
    @Observed var number = 0
  }

  @Test func anObjectAtTheAddressOfOneThatRegisteredNobodyIsAnother() {
    let controller = KVOController(observer: watcher, retainObserved: false)
    var count = 0
    for round in 1...100 {
      controller.observe(Deaf(), keyPath: "number") { _, _, _ in }
      // Usually gets the same address.
      let hearing = Hearing()
      controller.unobserve(hearing)
      controller.observe(hearing, keyPath: "number") { _, _, _ in count += 1 }
      hearing.number = round
      #expect(count == round)
    }
  }

  /// Registers observers of its own while it registers those of others.
  final class Nesting: Counting, @unchecked Sendable {
    let own = Watcher()

    override func addObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
      context: UnsafeMutableRawPointer?
    ) {
      if keyPath == "number" {
        own.kvoController.observe(self, keyPath: "other", context: nil)
        super.addObserver(own, forKeyPath: keyPath, options: .new, context: nil)
      }
      super.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    }
  }

  @Test func anOverrideMayRegisterOthersMeanwhile() {
    let nesting = Nesting()
    controller.observe(nesting, "number", as: Form(way: .changeAction), options: .new)
    nesting.number = 1
    nesting.other = Counting()
    #expect(watcher.changes == [.setting(new: 1)])
    #expect(nesting.own.count == 2)
    nesting.own.kvoController.unobserveAll()
  }
}
