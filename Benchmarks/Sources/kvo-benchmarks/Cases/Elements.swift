import KVOController

extension Group {
  /// Changes of a collection whose elements are observed.
  static var elements: Group {
    Group("elements") {
      Case("observe an object", operations: 1_000, prepare: { Shelf(0, spare: 1_000) }) { $0.observeSpare() }
      inserting(into: 100, .beside("observe an object", atMost: 3))
      inserting(into: 10_000, .beside("observe an object", atMost: 3), .beside("insert into 100"))
      replacing(oneOf: 100)
      replacing(oneOf: 10_000, .beside("observe 10,000 elements", atMost: 0.01))
      Case("observe 10,000 elements", operations: 1, prepare: { Shelf(10_000) }) { $0.observe() }
      Case("set an element of 10,000", .beside("set an object", atMost: 4)) {
        let shelf = Shelf(10_000)
        shelf.observe()
        let book = shelf.books[5_000]
        return Loop(keeping: shelf, telling: shelf.watcher) { for value in 0..<$0 { book.number = value; barrier() } }
      }
      Case("set an object") {
        let model = Model(), watcher = Watcher()
        watcher.observe(model, \.number) { watcher, _, change in watcher.take(change.newValue ?? 0) }
        return .setting(model, telling: watcher)
      }
    }
  }

  /// Insertions by a proxy, one by one.
  private static func inserting(into count: Int, _ comparisons: Comparison...) -> [Case] {
    [
      Case("insert into \(count.grouped)", comparisons) {
        Trial(operations: 1_000) {
          let shelf = Shelf(count, spare: 1_000)
          shelf.observe()
          return shelf
        } work: { shelf in
          let books = shelf.mutableArrayValue(forKey: "books")
          for book in shelf.spare { books.add(book) }
        }
      }
    ]
  }

  /// Replacements of one element in place, which change the whole value.
  private static func replacing(oneOf count: Int, _ comparisons: Comparison...) -> [Case] {
    [
      Case("replace one of \(count.grouped)", comparisons) {
        let shelf = Shelf(count, spare: 2)
        shelf.observe()
        return Trial(
          Loop { for round in 0..<$0 { shelf.books[count / 2] = shelf.spare[round % 2]; barrier() } })
      }
    ]
  }
}

/// An object with elements, and their observer.
private final class Shelf: KeyValueObject {
  @Observed var books: [Model]
  let spare: [Model]
  let watcher = Watcher()

  init(_ count: Int, spare: Int = 0) {
    books = (0..<count).map { _ in Model() }
    self.spare = (0..<spare).map { _ in Model() }
    super.init()
  }

  func observe() {
    watcher.observe(self, elements: \.books, \.number) { watcher, _, change in watcher.take(change.newValue ?? 0) }
  }

  func observeSpare() {
    for book in spare { watcher.observe(book, \.number) { watcher, _, change in watcher.take(change.newValue ?? 0) } }
  }
}
