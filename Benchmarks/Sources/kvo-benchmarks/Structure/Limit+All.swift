extension Limit {
  /// Every limit of the check. Values that vary with the standard library have some room; those that must be zero have none.
  static let all: [Limit] =
    [
      .allocations("unobserved property/set", 0),
      .allocations("unobserved property/get", 0),
      .allocations("unobserved property/set, one a call", 0),
      .allocations("unobserved property/get, one a call", 0),
      .allocations("unobserved property/element set, one a call", 0),
      .allocations("weak property/set", 0),
      .allocations("weak property/get", 0),
      .allocations("weak property/set, with a typed handler", 0),

      // A change is no object, and a trivial value needs no box.
      .allocations("set, one observer/typed handler", 0),
      .allocations("set, one observer/typed handler without the observer", 0),
      .allocations("set, one observer/action", 0),
      // The dictionary.
      .allocations("set, one observer/block", 1),
      .allocations("set, one observer/block, []", 1),
      .allocations("set, one observer/context", 1),
      .allocations("set, several observers/typed handler, 100 controllers", 0),
      .allocations("set, several observers/block, 100 controllers", 100),
      .allocations("child.number/block, leaf set", 1),
      .allocations("child.number/block, child replaced", 12),
      .allocations("child.number/typed handler, leaf set", 0),
      // The new object with its info and list, and what the traversal collects.
      .allocations("child.number/typed handler, child replaced", 11),
      // The observation, which is the registration as well; a token, or what a closure captures; and arrays that begin.
      .allocations("observe + unobserve/block", 3),
      .allocations("observe + unobserve/block, with another observer there", 3),
      .allocations("observe + unobserve/typed handler, by its token", 3),
      .allocations("observe + unobserve/context", 5),

      .bytes("memory/@Observed Int", 0, over: "memory/Int"),
      .bytes("memory/object with an Int, unobserved", 16, over: "memory/object with an Int, plain"),
      .bytes("memory/object with a weak reference, unobserved", 0, over: "memory/object with a weak reference, plain"),
      .bytes("memory/one more observer of a key, by a block", 250),
      .bytes("memory/one more object of an observer, by a block", 450),
      .bytes("memory/an object and an observer, by a block", 390),
      .bytes("memory/an object that is no longer observed, over one that never was", 150),
    ] + memoryLeft + notification + registration + growth + observation + elements + coding + computed

  /// Observations that have ended leave no memory behind.
  private static let memoryLeft: [Limit] =
    Group.memoryLeft.cases.map { .bytes(Group.memoryLeft.path(of: $0), mostBytesLeft) }

  /// The cost of a notification, compared with a closure that is called from `didSet`, and with a path of one key.
  private static let notification: [Limit] = [
    .instructions("unobserved property/set, one a call", 2.5, times: "unobserved property/set, one a call, plain"),
    .instructions("unobserved property/get, one a call", 2.5, times: "unobserved property/get, one a call, plain"),
    .instructions("unobserved property/set, after the last observer", 2, times: "unobserved property/set, plain"),
    // A weak reference is copied to be read.
    .instructions("weak property/set", 1.25, times: "weak property/set, plain"),
    .instructions("weak property/get", 2, times: "weak property/get, plain"),
    .instructions("set, one observer/typed handler", 5.75, times: "set, one observer/hand"),
    .instructions("child.number/typed handler, leaf set", 1.65, times: "child.number/typed handler on number"),
    .instructions("child.number/typed handler, child replaced", 48, times: "child.number/typed handler on number"),
    .instructions("child.number/block, child replaced", 10, times: "child.number/block on number"),
  ]

  /// The cost of beginning and ending an observation, compared with Foundation's notifications.
  private static let registration: [Limit] =
    [
      ("block", 0.7), ("block, with another observer there", 0.7), ("typed handler, by its token", 0.65),
      ("context", 0.75),
    ].map {
      .instructions("observe + unobserve/\($0)", $1, times: "observe + unobserve/NotificationCenter add + remove")
    }

  /// The cost of one doesn't grow with the number of others.
  private static let growth: [Limit] =
    ["observe", "unobserve", "die", "hear of a set"].map {
      .instructions(
        "controllers of one key, each/\($0), 10,000", 1.25, times: "controllers of one key, each/\($0), 100")
    } + [
      .instructions(
        "growth, each/observe and end a key alongside key paths through nil, 10,000", 1.5,
        times: "growth, each/observe and end a key alongside key paths through nil, 100"),
      .instructions(
        "growth, each/end lists with identifiers, 2,000", 1.5, times: "growth, each/end lists with identifiers, 100"),
      .instructions(
        "growth, each/observe key paths in one call, 10,000", 2.5,
        times: "growth, each/observe key paths in one call, 100"),
      .instructions(
        "key path of many components/leaf set, depth 8", 1.25, times: "key path of many components/leaf set, depth 2"),
      .instructions(
        "key path of many components/head replaced, depth 8", 2,
        times: "key path of many components/head replaced, depth 4"),
      .instructions("growth, each/change a node, 8,191 nodes", 12, times: "growth, each/read a tree, 8,191 nodes"),
      .instructions(
        "growth, each/add or remove a node, 8,191 nodes", 42, times: "growth, each/read a tree, 8,191 nodes"),
      .instructions("set, with dependent keys/chain of 8", 1.5, times: "set, with dependent keys/chain of 1"),
      .instructions("set, with dependent keys/fan of 8", 10, times: "set, with dependent keys/fan of 1"),
    ]

  /// The cost of Observation, compared with `@Observable`, and for objects that don't take part in it.
  private static let observation: [Limit] = [
    .instructions("Observation/get", 1.8, times: "Observation/get, @Observable"),
    .instructions("Observation/tracked gets", 1.4, times: "Observation/tracked gets, @Observable"),
    .instructions("Observation/set", 1.8, times: "Observation/set, @Observable"),
    .instructions(
      "Observation/set, tracked again each time", 1.5, times: "Observation/set, tracked again each time, @Observable"),
    .instructions("Observation/object, not Observable", 1.17, times: "Observation/object, plain"),
  ]

  /// The cost of coding, compared with that of plain objects.
  private static let coding: [Limit] = [
    .instructions("coding/encode models", 1.2, times: "coding/encode plain objects"),
    .instructions("coding/decode models", 1.2, times: "coding/decode plain objects"),
  ]

  /// The cost of a change of what a getter computes, which is followed again, and finds the same.
  private static let computed: [Limit] = [
    .instructions("set, computed/model with a lock", 52, times: "set, computed/model with a lock, unobserved"),
    .instructions("set, computed/model with a lock, by hand", 34, times: "set, computed/model with a lock, unobserved"),
    .instructions("set, computed/property of two keys", 29, times: "child.number/typed handler on number"),
    .instructions(
      "set, computed/an element of a sum of 1,000", 13, times: "set, computed/read a sum of 1,000 elements"),
  ]

  /// The cost of a change of a collection whose elements are observed: that of what changes.
  private static let elements: [Limit] = [
    .instructions(
      "elements/insert and remove among 10,000", 3.2, times: "elements/insert and remove, by hand"),
    .instructions(
      "elements/insert and remove among 10,000", 2.9, times: "elements/insert and remove among 100"),
    // A comparison of two words for each other element, in ten instructions; all else takes 16,000.
    .instructions("elements/replace one of 10,000", 7, times: "elements/replace one of 100"),
    .instructions("elements/set one of 10,000", 1.25, times: "elements/set one of 100"),
    .instructions("elements/set one of 10,000", 3, times: "elements/set an object"),
    .instructions("set, one observer/bound property", 21, times: "set, one observer/typed handler"),
  ]
}
