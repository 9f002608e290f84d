import KVOController

extension Group {
  /// Changes of a collection whose elements are observed.
  static var elements: Group {
    Group("elements") {
      Case("observe and end") {
        let book = Model(), watcher = Watcher()
        return Loop(keeping: watcher) { for _ in 0..<$0 { watcher.observeBook(book).invalidate() } }
      }
      // What an observer does that knows which object comes and leaves.
      Case("insert and remove, by hand", .beside("observe and end")) {
        let shelf = Shelf(100), book = Model()
        shelf.watcher.observe(shelf, \.books, options: []) { watcher, shelf, change in
          if change.kind == .insertion { watcher.observeBook(shelf.books[100]) } else { watcher.unobserve(book) }
        }
        return .inserting(book, shelf)
      }
      inserting(among: 100)
      inserting(among: 10_000, .beside("insert and remove among 100", atMost: 2.9))
      replacing(oneOf: 100)
      replacing(oneOf: 10_000)
      setting(oneOf: 100)
      setting(oneOf: 10_000, .beside("set one of 100", atMost: 1.25))
      Case("set an object") {
        let model = Model(), watcher = Watcher()
        watcher.observeBook(model)
        return .setting(model, telling: watcher)
      }
    }
  }

  /// Insertions and removals by a proxy.
  private static func inserting(among count: Int, _ comparisons: Comparison...) -> [Case] {
    let comparisons: [Comparison] =
      [
        .beside("observe and end", atMost: 3), .beside("insert and remove, by hand", atMost: 3.2),
      ] + comparisons
    return [
      Case("insert and remove among \(count.grouped)", comparisons) {
        let shelf = Shelf(count)
        shelf.observe()
        return Trial(.inserting(Model(), shelf))
      }
    ]
  }

  /// Replacements of one element in place, which change the whole value.
  private static func replacing(oneOf count: Int) -> [Case] {
    [
      Case("replace one of \(count.grouped)", .beside("observe and end")) {
        let shelf = Shelf(count), books = [Model(), Model()]
        shelf.observe()
        return Loop { for round in 0..<$0 { shelf.books[count / 2] = books[round % 2]; barrier() } }
      }
    ]
  }

  private static func setting(oneOf count: Int, _ comparisons: Comparison...) -> [Case] {
    [
      Case("set one of \(count.grouped)", [.beside("set an object", atMost: 4)] + comparisons) {
        let shelf = Shelf(count)
        shelf.observe()
        let book = shelf.books[count / 2]
        return Trial(
          Loop(keeping: shelf, telling: shelf.watcher) { for value in 0..<$0 { book.number = value; barrier() } })
      }
    ]
  }
}

extension Loop {
  fileprivate static func inserting(_ book: Model, _ shelf: Shelf) -> Loop {
    let books = shelf.mutableArrayValue(forKey: "books")
    return Loop(keeping: shelf) {
      for _ in 0..<$0 {
        books.add(book)
        books.removeLastObject()
      }
    }
  }
}

extension Watcher {
  @discardableResult
  fileprivate func observeBook(_ book: Model) -> KVOObservation {
    observe(book, \.number) { watcher, _, change in watcher.take(change.newValue ?? 0) }
  }
}

/// An object with elements, and their observer.
private final class Shelf: KeyValueObject {
  @Observed var books: [Model]
  let watcher = Watcher()

  init(_ count: Int) {
    books = (0..<count).map { _ in Model() }
    super.init()
  }

  func observe() {
    watcher.observe(self, elements: \.books, \.number) { watcher, _, change in watcher.take(change.newValue ?? 0) }
  }
}
