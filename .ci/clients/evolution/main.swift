// Sets, mutations, reads by path, Key-Value Coding, and Observation of such classes. Prints what is wrong.

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

func names() {
  let page = Page(2)
  watcher.watch(page, "b")
  page.b = 3
  expectLog("b: 2 3")
  page.a = 7
  page.number = 4
  expectLog()
  page.b += 10
  expectLog("b: 3 13")
  page.setValue(5, forKey: "b")
  expectLog("b: 13 5")
  expect(page.value(forKey: "b") as? Int, 5)
  watcher.watch(page, "title", "count")
  page.title = "y"
  page.count += 1
  expectLog("title:  y", "count: 0 1")
  watcher.unwatch(page, "b")
  watcher.watch(page, "b", options: [.old, .new, .prior])
  page.b = 6
  page.b += 1
  expectLog("b: 5 - prior", "b: 5 6", "b: 6 - prior", "b: 6 7")
  watcher.unwatch(page, "b", "title", "count")
  page.b = 9
  expectLog()
  expect([page.a, page.b, page.number, page.count, page.fixed], [7, 9, 4, 1, 1])
}

func inherited() {
  let last = Last(2)
  watcher.watch(last, "a", "b", "c", "d", "e", "title")
  (last.a, last.b, last.c, last.d, last.e, last.title) = (3, 4, 5, 6, 7, "t")
  expectLog("a: 2 3", "b: 2 4", "c: 2 5", "d: 0 6", "e: 0 7", "title:  t")
  last.a += 1
  last.c += 1
  last.e += 1
  expectLog("a: 3 4", "c: 5 6", "e: 7 8")
  expect([last.a, last.b, last.c, last.d, last.e, last.plain + last.fixed + last.more], [4, 4, 6, 6, 8, 0])
  watcher.unwatch(last, "a", "b", "c", "d", "e", "title")

  let nested = Outer<Int>.Nested()
  watcher.watch(nested, "value", "other")
  nested.value = 1
  nested.value += 1
  nested.text = "q"
  nested.other = "r"
  nested.count = 8
  expectLog("value: 0 1", "value: 1 2", "other:  r")
  expect([nested.value, nested.fixed, nested.count], [2, 0, 8])
  watcher.unwatch(nested, "value", "other")

  let triple = Triple(1, 2)
  watcher.watch(triple, "first", "second", "third", "fourth")
  (triple.first, triple.second, triple.third, triple.fourth) = (10, 20, 30, 40)
  triple.second += 1
  expectLog("first: 1 10", "second: 2 20", "third: 3 30", "fourth: 4 40", "second: 20 21")
  expect([triple.first, triple.second, triple.third, triple.fourth, triple.fixed], [10, 21, 30, 40, 1])
  watcher.unwatch(triple, "first", "second", "third", "fourth")
}

func paths<Value>(_ page: Page<Value>, _ a: Value, _ b: Value) {
  let token = page.observe(\.b) { _, _ in log.append("b") }
  page.a = a
  expectLog()
  page.b = b
  expectLog("b")
  page.b = b
  expectLog("b")
  token.invalidate()
  page.b = a
  expectLog()
}

func types() {
  paths(Page(0), 1, 0)
  paths(Page(""), "", "a string that is longer than small ones are")
  paths(Page(false), true, false)
  paths(Page(1.5), 1.5, 1.5)
  paths(Page<Int?>(nil), nil, 1)
  paths(Page<Any>(1), "x", 2)
  paths(Page<Any?>(nil), nil, 2)
  paths(Page<any Hashable>(1), 1, "y")
  paths(Page<(any Error)?>(nil), nil, CancellationError())
  paths(Page<[Int]>([]), [], [1])
  paths(Page<[String: Int]>([:]), ["x": 1], [:])
  paths(Page<() -> Int>({ 1 }), { 2 }, { 3 })
  paths(Page<Base?>(nil), nil, Base())
  paths(Page(Address()), Address(), Address(street: "x", number: 1))
  paths(Page<AnyKeyPath>(\Address.street), \Address.street, \Address.number)
  let empty = Page<Void>(())
  (empty.a, empty.b) = ((), ())
}

func followed() {
  let (page, base) = (Page<Base?>(nil), Base())
  let token = page.observe(\.b?.title, options: .new) { _, change in log.append("\(change.newValue as Any)") }
  page.b = base
  base.title = "x"
  page.a = Base()
  page.b = nil
  token.invalidate()
  expect(log.count, 3)
  log = []

  let pair = Pair("a", "b")
  let second = pair.observe(\.second, options: .new) { _, change in log.append(change.newValue ?? "") }
  pair.first = "c"
  pair.second = "d"
  second.invalidate()
  expectLog("d")

  let summed = Summed<Int>()
  watcher.watch(summed, "total")
  summed.items.append(1)
  summed.others = [1, 2]
  summed.mutableArrayValue(forKey: "items").add(5)
  expectLog("total: 0 1", "total: 1 21", "total: 21 22")
  expect(summed.items + summed.others, [1, 5, 1, 2])
  watcher.unwatch(summed, "total")

  let controller = KVOController(observer: watcher)
  let tracked = Page(Address())
  controller.observe(tracked, \.b.number) { (_: Watcher, _, change) in log.append("\(change.newValue ?? 0)") }
  tracked.a.number = 1
  tracked.b.number = 2
  tracked.b = Address(street: "x", number: 4)
  controller.unobserveAll()
  tracked.b.number = 5
  expectLog("2", "4")
  expect([tracked.a.number, tracked.b.number], [1, 5])
}

func observation() {
  let tracked = Tracked(0)
  for _ in 0..<20 {
    nonisolated(unsafe) var changes = 0
    withObservationTracking {
      _ = tracked.b
    } onChange: {
      changes += 1
    }
    tracked.a += 1
    expect(changes, 0)
    tracked.b += 1
    tracked.b += 1
    expect(changes, 1)
  }
  expect([tracked.a, tracked.b], [20, 40])
}

func weakReferences() {
  let (linked, next) = (Linked(0), Linked(1))
  watcher.watch(linked, "next")
  let token = linked.observe(\.next?.value, options: .new) { _, change in log.append("\((change.newValue ?? nil) ?? 0)")
  }
  linked.strong = next
  expectLog()
  linked.next = next
  expect(log.count, 2)
  log = []
  next.value = 2
  expectLog("2")
  linked.next = nil
  expect(log.count, 2)
  log = []
  token.invalidate()
  watcher.unwatch(linked, "next")
  nonisolated(unsafe) var changes = 0
  withObservationTracking {
    _ = linked.next
  } onChange: {
    changes += 1
  }
  linked.strong = nil
  expect(changes, 0)
  linked.next = next
  expect(changes, 1)
  expect(linked.next?.value, 2)
}

func lifetimes() {
  let page = Page<Thing?>(nil)
  let list = Page<[Thing]>([])
  watcher.watch(page, "b")
  watcher.watch(list, "b")
  for _ in 0..<100 {
    page.b = Thing()
    page.a = Thing()
    page.b = page.a
    page.a = nil
    list.b.append(Thing())
    list.a = list.b
    if list.b.count > 10 { list.b.removeAll() }
  }
  watcher.unwatch(page, "b")
  watcher.unwatch(list, "b")
  log = []
}

names()
inherited()
types()
followed()
observation()
weakReferences()
lifetimes()
expect(Thing.living, 0)
if failures > 0 { exit(1) }
