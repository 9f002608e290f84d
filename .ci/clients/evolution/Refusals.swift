// What must stop the process: the first set of a generic class's property, while one is observed.

import Models
import Observation

func set<Value>(_ page: Page<Value>, _ value: Value) {
  watcher.watch(page, "b")
  page.b = value
}

func append(_ value: Int, to values: inout [Int]) { values.append(value) }

func replace(_ base: inout Base?) { base = Base() }

/// Calls `change` with what `read` has read, tracked by Observation.
func tracked(_ change: (Tracked<Int>) -> Void, after read: (Tracked<Int>) -> Void) {
  let object = Tracked(0)
  withObservationTracking {
    read(object)
  } onChange: {
  }
  change(object)
}

nonisolated(unsafe) let refusals: [String: () -> Void] = {
  var refusals: [String: () -> Void] = [
    "set": {
      let page = Page(2)
      watcher.watch(page, "b")
      page.b = 3
    },
    "set of another property": {
      let page = Page(2)
      watcher.watch(page, "title")
      page.number = 3
    },
    "set by a generic function": { set(Page("x"), "y") },
    "set after a typed observation": {
      let page = Page(2)
      let token = page.observe(\.b, options: .initial) { _, _ in }
      page.b = 3
      token.invalidate()
    },
    "set after an observation of what reads it": {
      let page = Page(2)
      let token = page.observe(\.copy) { _, _ in }
      page.b = 3
      token.invalidate()
    },
    "set in an object that a getter reads": {
      let reader = Reader()
      let token = reader.observe(\.sum) { _, _ in }
      reader.page.b = 3
      token.invalidate()
    },
    "set at the end of a path": {
      let (chapter, page) = (Chapter(), Page(2))
      chapter.base = page
      watcher.watch(chapter, "base.b")
      page.b = 3
    },
    "in place": {
      let page = Page([1])
      watcher.watch(page, "b")
      append(2, to: &page.b)
    },
    "observed while it is changed in place": {
      let page = Page([1])
      func change(_ values: inout [Int]) {
        watcher.watch(page, "b")
        values.append(2)
      }
      change(&page.b)
    },
    "inherited": {
      let last = Last(2)
      watcher.watch(last, "b")
      last.b = 3
    },
    "inherited once more": {
      let last = Last(2)
      watcher.watch(last, "c")
      last.c += 1
    },
    "nested": {
      let nested = Outer<Int>.Nested()
      watcher.watch(nested, "text")
      nested.text = "x"
    },
    "weak": {
      let page = Page(2)
      watcher.watch(page, "next")
      page.next = page
    },
    "weak in place": {
      let page = Page(2)
      watcher.watch(page, "next")
      replace(&page.next)
    },
    "tracked": { tracked({ $0.b = 1 }, after: { _ = $0.b }) },
    "tracked, another property": { tracked({ $0.a = 1 }, after: { _ = $0.b }) },
    "tracked, in place": { tracked({ $0.b += 1 }, after: { _ = $0.b }) },
    "tracked, read in place": { tracked({ $0.b = 1 }, after: { $0.b += 1 }) },
    "tracked, weak": { tracked({ $0.next = nil }, after: { _ = $0.next }) },
  ]
  #if ENGINE_EVOLVES
  // All superclasses are in a library that evolves then.
  let more: [String: () -> Void] = [
    "below the engine": {
      let box = Box(2)
      watcher.watch(box, "b")
      box.b = 3
    },
    "inherited from one below the engine": {
      let crate = Crate(2)
      watcher.watch(crate, "b")
      crate.b += 1
    },
    "in the library": {
      let pair = Pair(1, 2)
      watcher.watch(pair, "second")
      pair.second = 3
    },
    "inherited from the library": {
      let triple = Triple(1, 2)
      watcher.watch(triple, "second")
      triple.second += 1
    },
  ]
  refusals.merge(more) { $1 }
  #endif
  return refusals
}()
