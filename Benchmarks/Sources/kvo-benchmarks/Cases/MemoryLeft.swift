import KVOController
import Probes

extension Group {
  /// The bytes that each of many distinct names or key paths leaves behind, once it is observed no longer.
  static var memoryLeft: Group {
    Group("memory left by each") {
      Case.left(by: "key path with an argument") { table, watcher, number in
        watcher.kvoController.observe(table, \.[number]) { _, _ in }
        watcher.kvoController.unobserve(table, \.[number])
      }
      Case.left(by: "key path with an argument, by its token") { table, watcher, number in
        watcher.kvoController.observe(table, \.[number]) { _, _ in }.invalidate()
      }
      Case.left(by: "key path with a string") { table, watcher, number in
        watcher.kvoController.observe(table, \.scores["player\(number)"]) { _, _ in }.invalidate()
      }
      Case.left(by: "string key path") { table, watcher, number in
        watcher.kvoController.observe(table, keyPath: "name\(number)", options: []) { _, _, _ in }
        watcher.kvoController.unobserve(table, keyPath: "name\(number)")
      }
      Case.left(by: "string key path of two keys") { table, watcher, number in
        watcher.kvoController.observe(table, keyPath: "next.name\(number)", options: []) { _, _, _ in }
        watcher.kvoController.unobserve(table, keyPath: "next.name\(number)")
      }
      Case.left(by: "string key path of addObserver") { table, watcher, number in
        table.addObserver(watcher, forKeyPath: "name\(number)", context: nil)
        table.removeObserver(watcher, forKeyPath: "name\(number)", context: nil)
      }
      Case.left(by: "identifier") { table, watcher, number in
        watcher.kvoController.observe(table, \.rows, identifier: number) { _, _ in }
        watcher.kvoController.unobserve(table, \.rows, identifier: number)
      }
      Case.left(by: "name of a manual notification") { table, watcher, number in
        watcher.kvoController.observe(table, keyPath: "name\(number)", options: []) { _, _, _ in }
        table.willChangeValue(forKey: "name\(number)")
        table.didChangeValue(forKey: "name\(number)")
        watcher.kvoController.unobserve(table, keyPath: "name\(number)")
      }
      Case.left(by: "name of a manual notification, unobserved") { table, _, number in
        table.willChangeValue(forKey: "name\(number)")
        table.didChangeValue(forKey: "name\(number)")
      }
    }
  }
}

/// A limit that none reaches which leaves anything behind each time.
let mostBytesLeft = 1.0

extension Case {
  /// Calls `body` with distinct numbers, which must leave nothing behind once caches are full.
  fileprivate static func left(
    by name: String, _ body: @escaping (_ table: Scoreboard, _ watcher: Watcher, _ number: Int) -> Void
  ) -> Case {
    Case(name, .atMost(mostBytesLeft)) {
      let table = Scoreboard(), watcher = Watcher(), (few, many) = (20_000, 200_000)
      // Another observation, so that the object's tables stay.
      watcher.kvoController.observe(table, \.next) { _, _ in }
      for number in 0..<few { body(table, watcher, number) }
      let before = probe_allocated_bytes()
      for number in few..<few + many { body(table, watcher, number) }
      return Double(probe_allocated_bytes() - before) / Double(many)
    }
  }
}

/// An object with values for many names and indexes.
private final class Scoreboard: KeyValueObject {
  @Observed var rows = [0]
  @Observed var scores: [String: Int] = [:]
  @Observed var next: Scoreboard?

  subscript(row: Int) -> Int { rows[row % rows.count] }

  override func value(forUndefinedKey key: String) -> Any? { rows.count }
}
