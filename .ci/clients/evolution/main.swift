// Uses such classes in every way in which they work, and prints what is wrong. With the argument `refusals` it prints the names
// of what must stop the process, and with such a name it does that.

import Foundation
import Models
import Observation

nonisolated(unsafe) var failures = 0
nonisolated(unsafe) var log: [String] = []

func expect<Value: Equatable>(_ value: Value, _ expected: Value, line: Int = #line) {
  if value != expected {
    print("line \(line): \(value), not \(expected)")
    failures += 1
  }
}

func expectLog(_ expected: String..., line: Int = #line) {
  expect(log, expected, line: line)
  log = []
}

final class Watcher: KeyValueObject {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let prior = change?[.notificationIsPriorKey] != nil
    log.append("\(keyPath ?? ""): \(change?[.oldKey] ?? "-") \(change?[.newKey] ?? "-")\(prior ? " prior" : "")")
  }

  func watch(_ object: KeyValueObject, _ keys: String..., options: NSKeyValueObservingOptions = [.old, .new]) {
    for key in keys { object.addObserver(self, forKeyPath: key, options: options, context: nil) }
  }

  func unwatch(_ object: KeyValueObject, _ keys: String...) {
    for key in keys { object.removeObserver(self, forKeyPath: key) }
  }
}

nonisolated(unsafe) let watcher = Watcher()

// MARK: Classes that aren't generic

func names() {
  let chapter = Appendix()
  watcher.watch(chapter, "a", "b", "title", "count")
  (chapter.a, chapter.b, chapter.c, chapter.text, chapter.title) = (1, 2, 3, "x", "y")
  expectLog("a: 0 1", "b: 0 2", "title:  y")
  chapter.a += 10
  chapter.b += 10
  chapter.count += 1
  expectLog("a: 1 11", "b: 2 12", "count: 0 1")
  chapter.setValue(5, forKey: "b")
  expectLog("b: 12 5")
  expect(chapter.value(forKey: "b") as? Int, 5)
  watcher.unwatch(chapter, "b")
  watcher.watch(chapter, "b", options: [.old, .new, .prior])
  chapter.b = 6
  chapter.b += 1
  expectLog("b: 5 - prior", "b: 5 6", "b: 6 - prior", "b: 6 7")
  watcher.unwatch(chapter, "a", "b", "title", "count")
  (chapter.a, chapter.b) = (8, 9)
  expectLog()
  expect([chapter.a, chapter.b, chapter.c, chapter.count, chapter.fixed, chapter.plain], [8, 9, 3, 1, 1, 0])
}

func paths() {
  let (chapter, base) = (Chapter(), Base())
  let token = chapter.observe(\.base?.title, options: .new) { _, change in
    log.append((change.newValue ?? nil) ?? "nil")
  }
  chapter.base = base
  base.title = "x"
  chapter.next = Base()
  chapter.base = nil
  token.invalidate()
  expectLog("", "x", "nil")

  watcher.watch(chapter, "total")
  chapter.a = 3
  chapter.items.append(1)
  chapter.mutableArrayValue(forKey: "items").add(5)
  expectLog("total: 0 3", "total: 3 13", "total: 13 23")
  expect(chapter.items, [1, 5])
  watcher.unwatch(chapter, "total")

  let controller = KVOController(observer: watcher)
  controller.observe(chapter, \.address.number) { (_: Watcher, _, change) in log.append("\(change.newValue ?? 0)") }
  chapter.address.number = 2
  chapter.address = Address(street: "x", number: 4)
  controller.unobserveAll()
  chapter.address.number = 5
  expectLog("2", "4")
  expect(chapter.address.number, 5)
}

func weakReferences() {
  let (chapter, next) = (Chapter(), Base())
  watcher.watch(chapter, "next")
  let token = chapter.observe(\.next?.title, options: .new) { _, change in
    log.append((change.newValue ?? nil) ?? "nil")
  }
  chapter.next = next
  expect(log.count, 2)
  log = []
  next.title = "x"
  expectLog("x")
  replace(&chapter.next)
  expect(log.count, 2)
  log = []
  token.invalidate()
  watcher.unwatch(chapter, "next")
  chapter.next = next
  expectLog()
  expect(chapter.next === next, true)
}

func observation() {
  let chapter = TrackedChapter()
  for _ in 0..<20 {
    nonisolated(unsafe) var changes = 0
    withObservationTracking {
      _ = (chapter.b, chapter.next)
    } onChange: {
      changes += 1
    }
    chapter.a += 1
    expect(changes, 0)
    chapter.b += 1
    chapter.b = chapter.b + 1
    expect(changes, 1)
  }
  expect([chapter.a, chapter.b], [20, 40])
}

/// Runs a body, and releases what it has autoreleased.
func draining(_ body: () -> Void) {
  #if canImport(ObjectiveC)
  autoreleasepool(invoking: body)
  #else
  body()
  #endif
}

func lifetimes() {
  let (chapter, page) = (Chapter(), Page<Thing?>(nil))
  watcher.watch(chapter, "thing")
  for _ in 0..<100 {
    draining {
      chapter.thing = Thing()
      page.a = Thing()
      page.b = page.a
      chapter.thing = page.b
      page.a = nil
    }
  }
  watcher.unwatch(chapter, "thing")
  expect(log.count, 200)
  log = []
}

// MARK: Generic classes with a superclass that evolves

func unobserved<Value>(_ page: Page<Value>, _ a: Value, _ b: Value) {
  page.a = a
  page.b = b
  page.b = page.a
  swap(&page.a, &page.b)
  page.number += 1
  page.setValue(b, forKey: "b")
  expect("\(page.a) \(page.b) \(page.copy)", "\(a) \(b) \(b)")
  expect("\(page.value(forKey: "a") as Any)", "\(unwrapped(a) as Any)")
  expect([page.number, page.fixed], [1, 1])
}

func unwrapped(_ value: Any) -> Any? {
  let mirror = Mirror(reflecting: value)
  return mirror.displayStyle == .optional ? mirror.children.first?.value : value
}

func types() {
  unobserved(Page(0), 1, 0)
  unobserved(Page(""), "", "a string that is longer than small ones are")
  unobserved(Page(false), true, false)
  unobserved(Page(1.5), 1.5, 1.5)
  unobserved(Page<Int?>(nil), nil, 1)
  unobserved(Page<Any>(1), "x", 2)
  unobserved(Page<any Hashable>(1), 1, "y")
  unobserved(Page<(any Error)?>(nil), nil, CancellationError())
  unobserved(Page<[Int]>([]), [], [1])
  unobserved(Page<[String: Int]>([:]), ["x": 1], [:])
  unobserved(Page<Base?>(nil), nil, Base())
  unobserved(Page(Address()), Address(), Address(street: "x", number: 1))
  let empty = Page<Void>(())
  watcher.watch(empty, "b")
  (empty.a, empty.b) = ((), ())
  expectLog()
  watcher.unwatch(empty, "b")
}

/// Coding knows where the properties are, also of observed objects.
func coding() throws {
  let page = Page([1])
  watcher.watch(page, "b", "number")
  page.setValue([2], forKey: "b")
  page.mutableArrayValue(forKey: "b").add(3)
  page.setValue(4, forKey: "number")
  expectLog("b: [1] [2]", "b: - [3]", "number: 0 4")
  expect(page.b + [page.number], [2, 3, 4])
  watcher.watch(page, "title", "count")
  page.title = "x"
  page.count += 1
  expectLog("title:  x", "count: 0 1")
  watcher.unwatch(page, "b", "number", "title", "count")
  page.a = [7]
  page.b += [8]
  replace(&page.next)
  expectLog()
  expect(page.a + page.b + [page.number], [7, 2, 3, 8, 4])

  let coded = Coded("x")
  coded.list = ["y", "z"]
  let decoded = try JSONDecoder().decode(Coded<String>.self, from: JSONEncoder().encode(coded))
  expect([decoded.a] + decoded.list, ["x", "y", "z"])
}

/// What a subclass that isn't generic declares can be observed.
func inherited() {
  let last = Last(2)
  watcher.watch(last, "d", "e", "next", "title")
  (last.d, last.e, last.title) = (6, 7, "t")
  last.e += 1
  expectLog("d: 0 6", "e: 0 7", "title:  t", "e: 7 8")
  last.next = Base()
  expect(log.count, 1)
  log = []
  watcher.unwatch(last, "d", "e", "next", "title")
  (last.a, last.b, last.c) = (3, 4, 5)
  last.c += 1
  expect([last.a, last.b, last.c, last.d, last.e, last.plain + last.fixed + last.more], [3, 4, 6, 6, 8, 0])

  let triple = Triple(1, 2)
  watcher.watch(triple, "third", "fourth")
  (triple.third, triple.fourth) = (30, 40)
  triple.third += 1
  expectLog("third: 3 30", "fourth: 4 40", "third: 30 31")
  watcher.unwatch(triple, "third", "fourth")
  (triple.first, triple.second) = (10, 20)
  expect([triple.first, triple.second, triple.third, triple.fourth, triple.fixed], [10, 20, 31, 40, 1])

  let crate = Crate(1)
  let token = crate.observe(\.c, options: .new) { _, change in log.append("\(change.newValue ?? 0)") }
  crate.c = 2
  crate.c += 1
  token.invalidate()
  expectLog("2", "3")
  crate.b += 1
  expect([crate.a, crate.b, crate.c, crate.fixed, crate.plain], [1, 2, 3, 1, 0])
}

/// Reads that nobody tracks are no observation, and neither is what has ended.
func untracked() {
  let tracked = Tracked(0)
  _ = (tracked.title, tracked.a, tracked.value(forKey: "b"))
  tracked.a = 1
  tracked.b += tracked.a
  replace(&tracked.next)
  nonisolated(unsafe) var changes = 0
  withObservationTracking {
    _ = tracked.title
  } onChange: {
    changes += 1
  }
  tracked.a += 1
  expect(changes, 0)
  tracked.title = "x"
  expect(changes, 1)
  expect([tracked.a, tracked.b], [2, 1])

  let (reader, page) = (Reader(), Page(0))
  let tokens = [reader.observe(\.sum) { _, _ in log.append("sum") }, page.observe(\.b) { _, _ in log.append("b") }]
  reader.count = 1
  for token in tokens { token.invalidate() }
  (reader.page.b, page.b) = (3, 4)
  expectLog("sum")
}

// MARK: Generic classes without one

#if !ENGINE_EVOLVES
func generic() {
  let (box, crate) = (Box("x"), Crate(1))
  watcher.watch(box, "b")
  watcher.watch(crate, "b")
  let token = crate.observe(\.a) { _, _ in log.append("a") }
  (box.a, box.b, crate.a, crate.b) = ("y", "z", 2, 3)
  crate.b += 1
  token.invalidate()
  expectLog("b: x z", "a", "b: 1 3", "b: 3 4")
  expect([crate.a, crate.b, crate.c], [2, 4, 0])

  let (pair, triple) = (Pair("a", "b"), Triple(1, 2))
  let second = pair.observe(\.second, options: .new) { _, change in log.append(change.newValue ?? "") }
  watcher.watch(triple, "first", "second")
  (pair.first, pair.second, triple.first, triple.second) = ("c", "d", 10, 20)
  triple.second += 1
  second.invalidate()
  expectLog("d", "first: 1 10", "second: 2 20", "second: 20 21")
}
#endif

switch CommandLine.arguments.dropFirst().first {
case "refusals":
  for name in refusals.keys.sorted() { print(name) }
case let name?:
  refusals[name]?()
case nil:
  names()
  paths()
  weakReferences()
  observation()
  lifetimes()
  types()
  try coding()
  inherited()
  untracked()
  #if !ENGINE_EVOLVES
  generic()
  #endif
  expect(Thing.living, 0)
  if failures > 0 { exit(1) }
}
