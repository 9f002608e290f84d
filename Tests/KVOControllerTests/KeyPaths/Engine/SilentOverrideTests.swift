#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Overrides that read nothing which is observed. What is found out about a class is found out for good, so each order has a process
/// of its own.
@Suite struct SilentOverrideTests {
  #if DEBUG
  /// How often a process has said that an override isn't notified.
  private func notices(_ result: ExitTest.Result?) -> Int {
    lines(with: " without reading an @Observed property, so its observers aren't notified", in: result).count
  }
  #endif

  @Test func oneOfAnObservedPropertyIsAcceptedFirst() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      precondition(Line.notified([Line(), Line(), Graphic()], \.fill, { $0.fill.toggle() }) == [2])
    }
    #if DEBUG
    #expect(notices(result) == 1)
    #expect(said("SilentOverrideTests.swift:", "Line overrides ", "Read super's property", in: result))
    #endif
  }

  @Test func oneOfAnObservedPropertyIsAcceptedAfterOthers() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      precondition(Line.notified([Graphic(), Line(), Line()], \.fill, { $0.fill.toggle() }) == [0])
    }
    #if DEBUG
    #expect(notices(result) == 1)
    #expect(said("SilentOverrideTests.swift:", "Line overrides fill ", in: result))
    #endif
  }

  @Test func oneOfAComputedPropertyIsAcceptedFirst() async {
    await #expect(processExitsWith: .success) {
      precondition(Line.notified([Line(), Graphic()], \.isLong, { $0.name += "s" }) == [1])
    }
  }

  @Test func oneOfAComputedPropertyIsAcceptedAfterOthers() async {
    await #expect(processExitsWith: .success) {
      precondition(Line.notified([Graphic(), Line()], \.isLong, { $0.name += "s" }) == [0])
    }
  }

  @Test func aFinalOneIsAcceptedFirst() async {
    await #expect(processExitsWith: .success) {
      precondition(Line.notified([FinalLine(), Graphic()], \.fill, { $0.fill.toggle() }) == [1])
      let observer = KeyValueObject()
      observer.observe(FinalLine(), \.fill) { _, _, _ in fatalError("Called.") }.invalidate()
    }
  }

  @Test func aFinalOneIsAcceptedByItsOwnClass() async {
    await #expect(processExitsWith: .success) {
      let (line, observer) = (FinalLine(), KeyValueObject())
      observer.observe(line, \.fill) { _, _, _ in fatalError("Called.") }
      line.fill = true
      line.name = "line"
    }
  }

  @Test func oneAtTheEndOfAPathIsAcceptedFirst() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (graphic, observer) = (Graphic(), KeyValueObject())
      graphic.inner = Line()
      nonisolated(unsafe) var fills: [Bool??] = []
      observer.observe(graphic, \.inner?.fill) { _, _, change in fills.append(change.newValue) }
      graphic.inner?.fill = true
      precondition(fills == [])
      graphic.inner = Graphic()
      graphic.inner?.fill = false
      precondition(fills == [true, false])
    }
    #if DEBUG
    #expect(notices(result) == 1)
    #endif
  }

  @Test func oneInTheMiddleOfAPathIsSaidToBeSilent() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (line, observer) = (Line(), KeyValueObject())
      nonisolated(unsafe) var names: [String??] = []
      observer.observe(line, \.inner?.name) { _, _, change in names.append(change.newValue) }
      line.inner?.name = "a"
      precondition(names == ["a"])
    }
    #if DEBUG
    #expect(notices(result) == 1)
    #endif
  }

  @Test func oneThatCallsItsSuperclassSaysNothing() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (loud, observer) = (Loud(), KeyValueObject())
      nonisolated(unsafe) var names: [String?] = []
      observer.observe(loud, \.name) { _, _, change in names.append(change.newValue) }
      observer.observe(loud, [\.name, \.fill], delivery: .distinct) { _, _ in }
      for name in ["a", "b", "c"] { loud.name = name }
      precondition(names == ["a!", "b!", "c!"])
    }
    #if DEBUG
    #expect(notices(result) == 0)
    #endif
  }

  @Test func aPropertyThatNobodyOverridesStillStopsTheProcess() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      KeyValueObject().observe(Line(), \.constant) { _, _, _ in }
    }
    #expect(said("Cannot observe the key path", "reads no @Observed property", in: result))
  }
}

private class Line: Graphic, @unchecked Sendable {
  private let spare = Graphic()

  override var fill: Bool {
    get { false }
    set {}
  }
  override var inner: Graphic? {
    get { spare }
    set {}
  }
  override var isLong: Bool { false }
  var constant: Int { 1 }

  /// The positions of the graphics of which a change notifies an observer of the elements.
  static func notified(
    _ graphics: [Graphic], _ keyPath: KeyPath<Graphic, Bool>, _ change: (Graphic) -> Void
  ) -> [Int] {
    let (drawing, observer) = (Drawing(graphics), KeyValueObject())
    nonisolated(unsafe) var notified: [Int] = []
    observer.observe(drawing, elements: \.graphics, keyPath) { _, graphic, _ in
      notified += graphics.indices.filter { graphics[$0] === graphic }
    }
    for graphic in graphics { change(graphic) }
    return notified
  }
}

private class Loud: Graphic, @unchecked Sendable {
  override var name: String {
    get { super.name + "!" }
    set { super.name = newValue }
  }
}

private final class FinalLine: Graphic, @unchecked Sendable {
  override var fill: Bool {
    get { false }
    set {}
  }
}
#endif
