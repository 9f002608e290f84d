import KVOController
import Testing
import _KVOTestSupport

/// Objects with manners of Foundation's don't affect the users of a controller.
@Suite(.watched) struct FoundationMannersTests {
  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  // MARK: The initial notification

  @Test func aChangeInsideTheInitialCallIsNotLost() {
    let object = FoundationLike()
    var received: [Int?] = []
    controller.observe(object, keyPath: "number", options: [.initial, .new]) { _, object, change in
      received.append(change[.newKey] as? Int)
      if received.count == 1 { (object as? FoundationLike)?.number = 7 }
    }
    #expect(received == [0, 7])
  }

  @Test func theInitialCallCanEndTheObservation() {
    let object = FoundationLike()
    var count = 0
    controller.observe(object, keyPath: "next.number", options: [.initial, .new]) { [controller] _, object, _ in
      count += 1
      controller.unobserve(object, keyPath: "next.number")
    }
    object.next = FoundationLike()
    #expect(count == 1)
    #expect(object.registrationCount == 0)
  }

  // MARK: Typed key paths

  @Test func aTypedPathThatIsNilAtSomeStepWaits() {
    let object = FoundationLike()
    let (received, _) = controller.listen(to: object, \.next?.next?.doubled, options: [.initial, .new])
    #expect(received.take() == [.some(nil)])
    object.next = FoundationLike()
    #expect(received.take() == [.some(nil)])
    object.next?.next = FoundationLike()
    #expect(received.take() == [0])
    object.next?.next?.number = 1
    #expect(received.take() == [2])
  }

  // MARK: Key-Value Coding

  @Test(arguments: ["number", "tripled"])
  func codingNotifiesOnce(key: String) {
    let object = FoundationLike()
    var received: [Int?] = []
    controller.observe(object, keyPath: key, options: .new) { _, _, change in received.append(change[.newKey] as? Int) }
    object.setValue(3, forKey: key)
    #expect(received == [3])
    object.setValue(6, forKey: key)
    #expect(received == [3, 6])
  }

  // MARK: Objects that are deallocated

  @Test(arguments: [true, false])
  func anObjectThatIsNotRetainedTakesItsDottedPathsAlongWhileItCanBeRead(isSelf: Bool) {
    let lateReads = Locked(0)
    let ended = Locked(0)
    let life: Weak<FoundationLike>
    var tokens: [KVOObservation] = []
    let nonRetaining = KVOController(observer: recorder, retainObserved: false)
    do {
      let object = FoundationLike(lateReads: lateReads)
      object.next = FoundationLike()
      life = Weak(object)
      let controller = isSelf ? object.kvoController : nonRetaining
      for identifier in 0..<3 {
        tokens.append(controller.observe(object, \.next?.number, identifier: identifier) { _, _ in })
        controller.observe(object, keyPath: "next.number", identifier: "\(identifier)") { _, _, _ in }
      }
      let resident = Resident(Census()) { ended.add() }
      controller.observe(object, keyPath: "next.next.number") { _, _, _ in resident.stay() }
    }
    #expect(!life.isAlive)
    #expect(lateReads.current == 0)
    #expect(tokens.allSatisfy { !$0.isValid })
    #expect(ended.current == 1)
    #expect(nonRetaining.debugDescription.contains("observer: <Recorder"))
    #expect(!nonRetaining.debugDescription.contains("next"))
  }

  @Test func observationsThatEndInTheObjectsDeinitAreEndedOnce() {
    let lateReads = Locked(0)
    let controller = KVOController(observer: recorder, retainObserved: false)
    for end in 0..<4 {
      let object = FoundationLike(lateReads: lateReads)
      object.next = FoundationLike()
      let token = controller.observe(object, \.next?.number) { _, _ in }
      object.whenReleased = { object in
        switch end {
        case 0: controller.unobserve(object)
        case 1: controller.unobserve(object, keyPath: "next.number")
        case 2: token.invalidate()
        default: controller.unobserveAll()
        }
      }
    }
    #expect(lateReads.current == 0)
    #expect(!controller.debugDescription.contains("next"))
  }

  @Test func anObjectInItsDeinitIsNotObservedAndItsSequencesEnd() async {
    let streams = Locked<[AsyncStream<Int>]>([])
    let tokens = Locked<[KVOObservation]>([])
    let count = Locked(0)
    for controller in [controller, KVOController(observer: recorder, retainObserved: false)] {
      let object = FoundationLike()
      object.whenReleased = { object in
        let stream = controller.values(of: object, \.number)
        streams.append(stream)
        let token = controller.observe(object, \.number, options: .initial) { _, _ in count.add() }
        tokens.append(token)
        controller.observe(object, keyPath: "next.number") { _, _, _ in count.add() }
        object.number += 1
      }
    }
    #expect(count.current == 0)
    #expect(tokens.current.count == 2)
    #expect(tokens.current.allSatisfy { !$0.isValid })
    for stream in streams.current {
      for await _ in stream { Issue.record("A sequence of an object in its deinit has an element.") }
    }
    #expect(!controller.debugDescription.contains("number"))
  }

  @Test func objectsAreDeallocatedWhileTheirObservationsEndOnOtherThreads() {
    let lateReads = Locked(0)
    for round in 0..<(isSanitized ? 100 : 1000) {
      let controller = Locked<KVOController?>(KVOController(observer: recorder, retainObserved: false))
      let object = Locked<FoundationLike?>(FoundationLike(lateReads: lateReads))
      object.current?.next = FoundationLike()
      // Controllers and tokens can be used on any thread.
      nonisolated(unsafe) let token = object.current.flatMap {
        controller.current?.observe($0, \.next?.number) { _, _ in }
      }
      object.current.map { controller.current?.observe($0, keyPath: "number") { _, _, _ in } }
      onThreads(3) { number in
        switch number {
        case 0: _ = object.take()
        case 1: token?.invalidate()
        default: if round % 2 == 0 { _ = controller.take() } else { controller.current?.unobserveAll() }
        }
      }
      #expect(token?.isValid == false)
    }
    #expect(lateReads.current == 0)
  }
}
