import KVOController
import Testing
import _KVOTestSupport

/// A class is analyzed when the first of its objects is observed. Several threads may do so at the same time; what all but
/// one have found is released, as the leak check shows.
@Suite(.watched) struct FirstUseTests {
  @Test func objectsOfANewClassNotifyOnEachThread() {
    observeBookcases(of: Int.self, count: 60)
  }

  private func observeBookcases<Kind>(of kind: Kind.Type, count: Int) {
    guard count > 0 else { return }
    onThreads(4) { thread in
      let bookcase = Bookcase<Kind>()
      let received = Locked([Int]())
      let observation =
        thread.isMultiple(of: 2)
        ? bookcase.observe(\.total) { bookcase, _ in received.append(bookcase.total) }
        : bookcase.observe(\.books, options: .new) { _, change in received.append(change.newValue ?? -1)
        }
      bookcase.books = 3
      bookcase.setValue(5, forKey: "books")
      observation.invalidate()
      #expect(received.current == (thread.isMultiple(of: 2) ? [4, 6] : [3, 5]))
    }
    observeBookcases(of: [Kind].self, count: count - 1)
  }
}

/// A class of its own for each `Kind`.
private final class Bookcase<Kind>: KeyValueObject {
  @Observed var books = 0
  @Observed var records = 1

  var total: Int { books + records }
}
