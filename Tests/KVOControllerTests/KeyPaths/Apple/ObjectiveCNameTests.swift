#if canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// How the name of a property of Objective-C is found, by which Foundation observes it, where a path leads to it from a model.
@Suite struct ObjectiveCNameTests {
  class Film: NSObject {
    @objc dynamic var title = ""
    private var isHiddenNow = false
    @objc dynamic var hidden: Bool {
      @objc(isHidden) get { isHiddenNow }
      @objc(setHidden:) set { isHiddenNow = newValue }
    }
  }

  final class Sequel: Film {
    @objc dynamic var number = 2
  }

  final class Cinema: KeyValueObject {
    @Observed var film: Sequel? = Sequel()
    @Observed var progress: Progress? = Progress()
  }

  private let cinema = Cinema()
  private let recorder = Recorder()

  private func name<Value>(_ keyPath: KeyPath<Cinema, Value>) -> String {
    recorder.observe(cinema, keyPath) { _, _, _ in }.keyPath
  }

  @Test func aPropertyIsFoundByItsGetterAlsoThatOfASuperclass() {
    #expect(name(\.film?.number) == "film.number")
    #expect(name(\.film?.title) == "film.title")
  }

  @Test func aCustomGetterLeadsToThePropertysName() {
    #expect(name(\.film?.hidden) == "film.hidden")
    #expect(name(\.progress?.isCancelled) == "progress.cancelled")
  }
}
#endif
