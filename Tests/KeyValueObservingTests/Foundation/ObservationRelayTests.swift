import KeyValueObserving
import Testing
import _KVOTestSupport

/// An object relays the changes of a path of another object as changes of its own key.
///
/// No class declares that key here, so it is observed without values.
@Suite struct ObservationRelayTests {
  private final class Link: KeyValueObject, @unchecked Sendable {
    @Observed var next: Link?
    @Observed var number = 0
    @Observed var items: [Int] = []
  }

  private let recorder = Recorder()
  private let link = Link()

  private func relay<Value>(_ keyPath: KeyPath<Link, Value>, of link: Link) -> ObservationRelay {
    ObservationRelay(link, .resolved(keyPath, of: link))
  }

  @Test func aChangeOfAKeyIsRelayedOnce() {
    let relay = relay(\.number, of: link)
    recorder.observe(relay, "value", .prior)
    var values: [Int?] = []
    recorder.whenCalled = { [unowned relay] _, _ in values.append(relay.observedValue as? Int) }
    link.number = 1
    #expect(recorder.take() == [.prior, .setting])
    #expect(values == [0, 1])
    #expect(relay.object === link)
    recorder.unobserve(relay, "value")
  }

  @Test func aPathThatIsNilAtSomeStepIsRelayed() {
    let relay = relay(\.next?.number, of: link)
    recorder.observe(relay, "value", [])
    var values: [Int?] = []
    recorder.whenCalled = { [unowned relay] _, _ in values.append(relay.observedValue as? Int) }
    let next = Link()
    link.next = next
    next.number = 1
    link.next = nil
    next.number = 2
    #expect(recorder.take() == [.setting, .setting, .setting])
    #expect(values == [0, 1, nil])
    recorder.unobserve(relay, "value")
  }

  @Test func aMutationIsRelayedWithItsIndexes() {
    link.items = [1, 2]
    let relay = relay(\.items, of: link)
    recorder.observe(relay, "value", [])
    link.mutableArrayValue(forKey: "items").insert(3, at: 1)
    #expect(recorder.take() == [Change(.insertion, indexes: [1])])
    recorder.unobserve(relay, "value")
  }

  @Test func theRegistrationEndsWithTheRelay() {
    link.next = Link()
    for keyPath in [\Link.next?.number, \Link.next?.next?.number] {
      weak var weakRelay: ObservationRelay?
      do {
        let relay = relay(keyPath, of: link)
        weakRelay = relay
        #expect(link.observationInfo != nil)
      }
      #expect(weakRelay == nil)
      #expect(link.observationInfo == nil)
      #expect(link.next?.observationInfo == nil)
    }
  }

  @Test func theObjectMayBeDeallocatedFirst() {
    let next = Link()
    weak var weakLink: Link?
    let relay: ObservationRelay
    do {
      let link = Link()
      link.next = next
      weakLink = link
      relay = self.relay(\.next?.number, of: link)
    }
    #expect(weakLink == nil)
    #expect(relay.object == nil)
    #expect(relay.observedValue == nil)
    next.number = 1
    #expect(next.observationInfo == nil)
  }

  @Test func itEndsOnOneThreadWhileTheObjectIsDeallocatedOnAnother() {
    for _ in 0..<(isSanitized ? 100 : 1000) {
      let link = Locked<Link?>(Link())
      let relay = Locked<ObservationRelay?>(nil)
      link.withLock { link in
        guard let link else { return }
        link.next = Link()
        let new = self.relay(\.next?.number, of: link)
        relay.withLock { $0 = new }
      }
      onThreads(2) { number in
        if number == 0 { link.withLock { $0 = nil } } else { relay.withLock { $0 = nil } }
      }
    }
  }
}
