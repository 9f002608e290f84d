import KVOController
import Testing
import _KVOTestSupport

/// A key path with an empty key stops the process, whatever the options.
@Suite struct EmptyKeyTests {
  // Exit tests that capture values need Swift 6.3.
  #if compiler(>=6.3)
  @Test(arguments: ["title..x", "next.", ".title", "."]) func aBlock(_ keyPath: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [keyPath] in
      KVOController(observer: Recorder()).observe(Song(), keyPath: keyPath) { _, _, _ in }
    }
    #expect(
      said(
        "valueForUndefinedKey:", "compliant for the key .", "In the key path \"\(keyPath)\" a key is empty.", in: result
      ))
  }
  #endif

  @Test func unobservingAKeyPathWithAnEmptyKeyDoesNothing() {
    KVOController(observer: Recorder()).unobserve(Song(), keyPath: "title..x")
  }
}
