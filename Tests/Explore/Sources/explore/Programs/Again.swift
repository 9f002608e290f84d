import KVOController

/// Programs about a path that is followed again, and on which the same is found, or something else.
let againPrograms: [Program] = [
  Program("again-two-threads", "Two properties that a getter reads are set: the same is found again.") { run in
    let (sum, log) = (Sum(), Log<Int>())
    let token = watch(sum, \.either, log)
    run.thread { sum.a = 1 }
    run.thread { sum.d = 200 }
    run.check {
      expectHeard(log, 201)
      expectHeard(log, 211) { sum.b = 10 }
      end([token], of: sum)
    }
  },

  Program("again-listed", "A listed getter reads the same again, while another thread sets what it reads.") { run in
    let (sum, log) = (Sum(), Log<Int>())
    let token = watch(sum, \.listed, log)
    run.thread {
      sum.a = 1
      sum.a = 2
    }
    run.thread { sum.b = 10 }
    run.check {
      expectHeard(log, 12)
      expectHeard(log, 22) { sum.b = 20 }
      end([token], of: sum)
    }
  },

  Program("again-other-in-the-middle", "A getter reads another property between two, while the last one is set.") {
    run in
    let (sum, log) = (Sum(), Log<Int>())
    let token = watch(sum, \.either, log)
    run.thread { sum.a = 5 }
    run.thread { sum.d = 200 }
    run.check {
      expectHeard(log, 205)
      expectSilence(log) { sum.b = 10 }
      expectHeard(log, 235) { sum.c = 30 }
      expectHeard(log, 135) { sum.d = 100 }
      expectHeard(log, 110) { sum.a = 0 }
      end([token], of: sum)
    }
  },

  Program("again-other-is-set", "A getter reads another property between two, while that one is set.") { run in
    let (sum, log) = (Sum(), Log<Int>())
    let token = watch(sum, \.either, log)
    run.thread { sum.a = 5 }
    run.thread { sum.c = 30 }
    run.check {
      expectHeard(log, 35)
      expectHeard(log, 45) { sum.c = 40 }
      expectHeard(log, 245) { sum.d = 200 }
      end([token], of: sum)
    }
  },

  Program("again-away-and-back", "Two threads lead a getter to another property, and back.") { run in
    let (sum, log) = (Sum(), Log<Int>())
    let token = watch(sum, \.either, log)
    run.thread { sum.a = 5 }
    run.thread { sum.a = 1 }
    run.check {
      let (a, isFirst) = (sum.a, sum.a == 1)
      expectHeard(log, a)
      expectHeard(log, a + 10) { if isFirst { sum.b = 10 } else { sum.c = 10 } }
      expectSilence(log) { if isFirst { sum.c = 20 } else { sum.b = 20 } }
      expectHeard(log, a + 210) { sum.d = 200 }
      end([token], of: sum)
    }
  },

  Program("again-one-less", "A getter reads less, while what it doesn't read any longer is set.") { run in
    let (sum, log) = (Sum(), Log<Int>())
    let token = watch(sum, \.fewer, log)
    run.thread { sum.a = 5 }
    run.thread { sum.d = 200 }
    run.check {
      expectHeard(log, 5)
      expectSilence(log) { sum.d = 100 }
      expectHeard(log, 101) { sum.a = 1 }
      expectHeard(log, 201) { sum.d = 200 }
      end([token], of: sum)
    }
  },

  Program("again-in-another-order", "A getter reads in another order, and something else.") { run in
    let (sum, log) = (Sum(), Log<Int>())
    let token = watch(sum, \.reordered, log)
    run.thread { sum.a = 5 }
    run.thread { sum.d = 200 }
    run.check {
      expectHeard(log, 205)
      expectHeard(log, 105) { sum.d = 100 }
      expectHeard(log, 135) { sum.c = 30 }
      expectSilence(log) { sum.b = 10 }
      end([token], of: sum)
    }
  },

  Program("again-twice", "A getter reads properties twice.") { run in
    let (sum, log) = (Sum(), Log<Int>())
    let token = watch(sum, \.twice, log)
    run.thread { sum.a = 1 }
    run.thread { sum.b = 10 }
    run.check {
      expectHeard(log, 22)
      expectHeard(log, 222) { sum.d = 200 }
      expectHeard(log, 224) { sum.a = 2 }
      end([token], of: sum)
    }
  },

  Program("again-through-objects", "A getter reads objects, of which one is replaced while another one is set.") {
    run in
    let (sum, next, other, log) = (Sum(), Sum(), Sum(), Log<Int>())
    (sum.next, next.next) = (next, other)
    let token = watch(sum, \.chain, log)
    let last = Sum()
    run.thread { next.next = last }
    run.thread { last.a = 30 }
    run.thread { sum.a = 1 }
    run.check {
      expectHeard(log, 31)
      expectSilence(log) { other.a = 7 }
      expectHeard(log, 41) { last.a = 40 }
      expectHeard(log, 241) { next.a = 200 }
      end([token], of: sum, next, other, last)
    }
  },

  Program("again-and-death", "What a getter reads through a weak reference dies, while it reads something else.") {
    run in
    let (sum, log) = (Sum(), Log<Int>())
    var friend: Sum? = Sum()
    friend?.b = 20
    sum.friend = friend
    let token = watch(sum, \.friendly, log)
    run.thread { sum.a = 5 }
    run.thread { friend = nil }
    run.check {
      expect(log.all, equals: [25], [5])
      expectHeard(log, 6) { sum.a = 6 }
      expectHeard(log, 36) { sum.c = 30 }
      expectHeard(log, 236) { sum.d = 200 }
      end([token], of: sum)
    }
  },

  Program("again-after-death", "What a getter has read through a weak reference has died.") { run in
    let (sum, log) = (Sum(), Log<Int>())
    var friend: Sum? = Sum()
    friend?.b = 20
    sum.friend = friend
    let token = watch(sum, \.friendly, log)
    sum.a = 1
    friend = nil
    run.thread { sum.a = 5 }
    run.thread { sum.d = 200 }
    run.check {
      expectHeard(log, 205)
      expectHeard(log, 235) { sum.c = 30 }
      end([token], of: sum)
    }
  },

  Program("again-and-end", "An observation ends while the same is found again.") { run in
    let (sum, log) = (Sum(), Log<Int>())
    let token = watch(sum, \.listed, log)
    sum.a = 1
    run.thread { sum.a = 2 }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [1], [1, 2])
      end([token], of: sum)
    }
  },
]

/// A model with getters that read other properties if `a` is greater than 4.
private final class Sum: Counted {
  @Observed var a = 0
  @Observed var b = 0
  @Observed var c = 0
  @Observed var d = 0
  @Observed var next: Sum?
  weak var friend: Sum?

  private var isFirst: Bool { a < 5 }

  var either: Int { a + (isFirst ? b : c) + d }
  var fewer: Int { isFirst ? a + b + d : a }
  var reordered: Int { isFirst ? a + b + d : a + d + c }
  var twice: Int { a + b + a + b + d }
  var chain: Int { a + (next?.chain ?? 0) }
  var friendly: Int { a + (friend?.b ?? 0) + (isFirst ? 0 : c) + d }
  var listed: Int { a + b }

  override class var keyPaths: [String: AnyKeyPath] { ["listed": \Sum.listed] }
}

private func watch(_ sum: Sum, _ keyPath: KeyPath<Sum, Int>, _ log: Log<Int>) -> NSKeyValueObservation {
  sum.observe(keyPath, options: .new) { _, change in log.record(change.newValue ?? -1) }
}

/// Ends observations, and expects that nobody observes the objects afterwards.
private func end(_ tokens: [NSKeyValueObservation], of sums: Sum...) {
  for token in tokens { token.invalidate() }
  for sum in sums { expect(sum.observationInfo == nil, "a sum is observed after its last observation") }
}
