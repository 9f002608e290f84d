#if DEBUG
import KVOController
import Testing
import _KVOTestSupport

/// In debug builds a typed key path that leads through a plain variable says so once, because replacing its value isn't noticed.
@Suite struct PlainStepTests {
  /// What a process has said of steps that are plain variables.
  private func notices(_ result: ExitTest.Result?) -> [String] {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
      .filter { $0.contains(", a plain variable, so observers aren't notified when it is replaced. Mark it @Observed") }
      .map(String.init)
  }

  @Test func aVariableOfAFinalClassIsNamedOnce() async {
    let line = #line + 1  // That of the macro, for all of its closure.
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (shelf, observer) = (FinalShelf(), KeyValueObject())
      for shelf in [shelf, shelf, FinalShelf()] { observer.observe(shelf, \.book.title) { _, _, _ in } }
    }
    let notices = notices(result)
    #expect(notices.count == 1, "\(notices)")
    #expect(notices.first?.contains("PlainStepTests.swift:\(line): \\FinalShelf.book.") == true)
    #expect(notices.first?.contains("leads through book of FinalShelf, a plain variable") == true)
  }

  @Test func eachPathIsNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (shelf, observer) = (FinalShelf(), KeyValueObject())
      observer.observe(shelf, \.book.title) { _, _, _ in }
      observer.observe(shelf, \.other.title) { _, _, _ in }
      observer.observe(shelf, \.next?.book.title) { _, _, _ in }
      shelf.next = FinalShelf()
      observer.observe(shelf, \.next?.book.title) { _, _, _ in }
      observer.observe(shelf, \.lent?.title) { _, _, _ in }
    }
    let notices = notices(result)
    #expect(notices.count == 4, "\(notices)")
    #expect(notices.last?.contains("lent of FinalShelf") == true)
  }

  @Test func aVariableOfAClassWithSubclassesIsNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (shelf, observer) = (LowShelf(), KeyValueObject())
      observer.observe(shelf, \.book.title) { _, _, _ in }
      observer.observe(shelf, \.optional?.title) { _, _, _ in }
    }
    let notices = notices(result)
    #expect(notices.count == 2, "\(notices)")
    #expect(notices.first?.contains("through book") == true && notices.last?.contains("through optional") == true)
  }

  @Test func otherStepsSayNothing() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (shelf, low, observer) = (FinalShelf(), LowShelf(), KeyValueObject())
      observer.observe(shelf, \.constant.title) { _, _, _ in }
      observer.observe(shelf, \.computed.title) { _, _, _ in }
      observer.observe(shelf, \.carton.book.title) { _, _, _ in }
      observer.observe(shelf, \.next?.carton.book.title) { _, _, _ in }
      observer.observe(shelf, \.listed.title) { _, _, _ in }
      observer.observe(low, \.constant.title) { _, _, _ in }
      observer.observe(low, \.computed.title) { _, _, _ in }
      observer.observe(low, \.observed.title) { _, _, _ in }
    }
    #expect(notices(result) == [])
  }
}

private final class Book: KeyValueObject, @unchecked Sendable {
  @Observed var title = ""
}

private struct Carton {
  var book = Book()
}

private final class FinalShelf: KeyValueObject, @unchecked Sendable {
  @Observed var next: FinalShelf?
  @Observed var carton = Carton()
  var book = Book()
  var other = Book()
  weak var lent: Book?
  let constant = Book()
  var computed: Book { book }
  /// Notified by hand.
  var listed = Book()

  override class var keyPaths: [String: AnyKeyPath] { ["listed": \FinalShelf.listed] }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "listed" }
}

private class OpenShelf: KeyValueObject, @unchecked Sendable {
  @Observed var observed = Book()
  private(set) var book = Book()
  fileprivate(set) var optional: Book? = Book()
  let constant = Book()
  var computed: Book { book }
}

private final class LowShelf: OpenShelf, @unchecked Sendable {}
#endif
