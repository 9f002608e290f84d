import KVOController
import Testing
import _KVOTestSupport

@Suite struct DebugDescriptionTests {
  let circle = Circle()
  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  /// The line, or part of one, that begins with a key path.
  func part(of controller: KVOController, about keyPath: String) throws -> String {
    let description = controller.debugDescription
    let start = try #require(description.range(of: keyPath))
    let rest = description[start.lowerBound...]
    let end = ["radius", "borderWidth", "center.x", "mood"].filter { $0 != keyPath }
      .compactMap { rest.range(of: $0)?.lowerBound }.min()
    return String(rest[..<(end ?? rest.endIndex)])
  }

  @Test func itNamesTheClass() {
    #expect(controller.debugDescription.contains("KVOController"))
  }

  @Test func itNamesASubclassByItsOwnName() {
    final class CircleOverseer: KVOController, @unchecked Sendable {}
    let controller = CircleOverseer(observer: recorder, retainObserved: true)
    #expect(controller.debugDescription.contains("CircleOverseer"))
  }

  @Test func itNamesTheObserver() {
    let plain = PlainRecorder()
    #expect(controller.debugDescription.contains("Recorder"))
    #expect(KVOController(observer: circle).debugDescription.contains("Circle"))
    #expect(KVOController(observer: plain).debugDescription.contains("PlainRecorder"))
  }

  @Test func itManagesWithoutObserver() {
    let controller = KVOController(observer: nil)
    controller.observe(circle, "radius", as: Form(way: .block))
    #expect(controller.debugDescription.contains("KVOController"))
    #expect(controller.debugDescription.contains("radius"))
  }

  @Test(arguments: [true, false]) func itAgreesWithTheObservationsOfAControllerWithoutObserver(wasGiven: Bool) throws {
    var observer: Recorder? = wasGiven ? Recorder() : nil
    let controller = KVOController(observer: observer)
    controller.observe(circle, \.radius) { _, _ in }
    controller.observe(circle, keyPath: "borderWidth", options: .new) { _, _, _ in }
    observer = nil
    #expect(controller.observer == nil)
    let lines = controller.debugDescription.dropLast().split(separator: "\n").dropFirst().map { $0.dropFirst(2) }
    #expect(lines.count == 2)
    #expect(controller.observations.map(\.description).sorted() == lines.map(String.init))
    for observation in controller.observations {
      #expect(observation.object === circle)
      #expect(!observation.isValid)
    }
    let first = try #require(controller.observations.first)
    controller.unobserveAll()
    #expect(first.object == nil && first.description.contains("has ended"))
    #expect(controller.observations.isEmpty)
    #expect(!controller.debugDescription.contains("\n"))
    withExtendedLifetime(observer) {}
  }

  @Test(arguments: Form.all) func itNamesEachObjectAndKeyPath(form: Form) {
    let twin = Twin()
    controller.observe(circle, "radius", as: form)
    controller.observe(circle, "borderWidth", as: form)
    controller.observe(twin, "center.x", as: form)
    for word in ["Circle", "radius", "borderWidth", "Twin", "center.x"] {
      #expect(controller.debugDescription.contains(word))
    }
  }

  @Test func descriptionDistinguishesObjectsOfOneClass() {
    let circles = [Circle(), Circle()]
    for circle in circles { controller.observe(circle, "radius", as: Form(way: .block)) }
    for circle in circles {
      let address = String(UInt(bitPattern: Unmanaged.passUnretained(circle).toOpaque()), radix: 16)
      #expect(controller.debugDescription.contains(address))
    }
  }

  @Test(arguments: 0..<16) func itGivesTheOptionsInWords(rawOptions: UInt) throws {
    let options = NSKeyValueObservingOptions(rawValue: rawOptions)
    controller.observe(circle, "radius", as: Form(way: .block), options: options)
    controller.observe(circle, "borderWidth", as: Form(way: .block), options: .all.subtracting(options))
    let words: [(NSKeyValueObservingOptions, String)] = [
      (.new, "new"), (.old, "old"), (.initial, "initial"), (.prior, "prior"),
    ]
    let radius = try part(of: controller, about: "radius").lowercased()
    let borderWidth = try part(of: controller, about: "borderWidth").lowercased()
    for (option, word) in words {
      #expect(radius.contains(word) == options.contains(option))
      #expect(borderWidth.contains(word) != options.contains(option))
    }
  }

  @Test func itShowsWhatIsObservedNow() {
    controller.observe(circle, "radius", as: Form(way: .block))
    controller.observe(circle, "borderWidth", as: Form(way: .block))
    controller.unobserve(circle, keyPath: "radius")
    #expect(!controller.debugDescription.contains("radius"))
    #expect(controller.debugDescription.contains("borderWidth"))
    controller.unobserveAll()
    #expect(!controller.debugDescription.contains("borderWidth"))
    #expect(!controller.debugDescription.contains("Circle"))
  }

  @Test func descriptionOmitsDeallocatedObjects() {
    let controller = KVOController(observer: recorder, retainObserved: false)
    do {
      let twin = Twin()
      controller.observe(twin, "radius", as: Form(way: .block))
      #expect(controller.debugDescription.contains("Twin"))
    }
    #expect(!controller.debugDescription.contains("Twin"))
    #expect(!controller.debugDescription.contains("radius"))
  }

  @Test func itMayBeReadInsideACallAndInADeinit() {
    let controller = KVOController(observer: recorder, retainObserved: false)
    let descriptions = Locked<[String]>([])
    recorder.whenCalled = { _, _ in descriptions.append(controller.debugDescription) }
    do {
      let circle = Circle()
      controller.observe(circle, "radius", as: Form(way: .block), options: .initial)
      circle.whenReleased = { _ in descriptions.append(controller.debugDescription) }
    }
    #expect(descriptions.current.count == 2)
    #expect(descriptions.current[0].contains("radius"))
  }
}

extension NSKeyValueObservingOptions {
  fileprivate static var all: Self { [.new, .old, .initial, .prior] }
}
