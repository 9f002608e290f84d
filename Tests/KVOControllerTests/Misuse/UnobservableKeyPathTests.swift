import KVOController
import Testing
import _KVOTestSupport

/// Key paths that can't be observed trap with a message that names them and the remedy.
@Suite struct UnobservableKeyPathTests {
  // The names of other properties come from descriptions, which key paths may lack with Foundation.
  let number = ".number"
  let width = ".width"

  @Test func aPlainStoredProperty() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Song(), \.plain) { _, _ in } }
    }
    #expect(said("Cannot observe the key path \\Song.", "Mark the property @Observed", "keyPaths", in: result))
  }

  @Test func aConstant() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Song(), \.number) { _, _ in } }
    }
    #expect(said("key path \\Song.", number, "is a constant (`let`)", "marked @Observed", in: result))
  }

  @Test func aStructsInsidesWithoutAnObservedOwner() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Song(), \.plainExtent.width) { _, _ in } }
    }
    #expect(said("Cannot observe the key path \\Song.", width, "Mark the property @Observed", in: result))
  }

  @Test func aPlainPropertyBehindAnObservedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Song(next: Song()), \.next?.plain) { _, _ in } }
    }
    #expect(said("Cannot observe the key path \\Song.", "<Song 0x", "Mark the property @Observed", in: result))
  }

  @Test func aConstantBehindAnObservedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Song(next: Song()), \.next?.number) { _, _ in } }
    }
    #expect(said("key path \\Song.", number, "is a constant (`let`)", "marked @Observed", in: result))
  }

  @Test func theObjectItself() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Song(), \.self) { _, _ in } }
    }
    #expect(said("Cannot observe the key path \\Song", "\\.self has no key. Observe one of its properties", in: result))
  }

  @Test func aStreamOfSuchAKeyPath() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { _ = $0.values(of: Song(), \.plain) }
    }
    #expect(said("Cannot observe the key path \\Song.", "Mark the property @Observed", in: result))
  }
}
