import KVOController
import Testing
import _KVOTestSupport

/// An observation says where it delivers its changes.
@Suite struct ObservationDestinationTests {
  private let song = Song()
  private let recorder = Recorder()
  private let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  /// The part of each description, and of the controller's, that follows the options.
  private func destinations() -> [String] {
    let observations = controller.observations.map(\.description)
    #expect(controller.debugDescription.split(separator: "\n").dropFirst().count == observations.count)
    for description in observations { #expect(controller.debugDescription.contains(description)) }
    return observations.map { String($0[($0.range(of: "), ")?.upperBound ?? $0.startIndex)...]) }
  }

  @Test func nonisolatedHandlerRunsOnTheThreadOfTheChange() {
    controller.observe(song, \.title) { _, _ in }
    #expect(destinations() == ["on the thread of the change"])
  }

  @MainActor @Test func handlerOfTheMainActorRunsThereUnlessIsolationIsNil() {
    controller.observe(song, \.title) { _, _ in }
    #expect(destinations() == ["on the main actor"])
    controller.observe(song, \.title, identifier: 1, isolation: nil) { _, _ in }
    controller.observe(song, keyPath: "title", identifier: 2) { _, _, _ in }
    #expect(destinations().sorted() == ["on the main actor", "on the main actor", "on the thread of the change"])
  }

  @MainActor @Test func contextIsCalledOnTheThreadOfTheChange() {
    controller.observe(song, keyPath: "title", context: nil)
    #expect(destinations() == ["on the thread of the change"])
  }

  @Test func handlerOfAnActorRunsThere() async {
    let actor = DefaultListener()
    let lines = await actor.run { actor in
      let controller = actor.state.controller
      controller.observe(Song(), \.title) { _, _ in }
      return controller.debugDescription.split(separator: "\n").dropFirst()
    }
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.contains("), on <DefaultListener 0x") })
    await actor.run { $0.state.controller.unobserveAll() }
  }
}
