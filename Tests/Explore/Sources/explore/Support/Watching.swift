import KVOController

/// Records the new values of a key path. nil is recorded as -1, as is a value that wasn't requested.
func watch(
  _ node: Node, _ keyPath: KeyPath<Node, Int>, _ log: Log<Int>, _ options: NSKeyValueObservingOptions = .new
) -> NSKeyValueObservation {
  node.observe(keyPath, options: options) { _, change in log.record(change.newValue ?? -1) }
}

/// The same for a key path through Optionals.
func watch(
  _ node: Node, _ keyPath: KeyPath<Node, Int?>, _ log: Log<Int>, _ options: NSKeyValueObservingOptions = .new
) -> NSKeyValueObservation {
  node.observe(keyPath, options: options) { _, change in log.record((change.newValue ?? nil) ?? -1) }
}

/// Ends observations, and expects that nobody observes the nodes afterwards.
func end(_ tokens: [NSKeyValueObservation], of nodes: Node...) {
  for token in tokens { token.invalidate() }
  for node in nodes {
    expect(node.observationInfo == nil, "a node is observed after its last observation")
    expect(node.registrationCount, equals: 0, as: "registrations")
  }
}

/// Expects that a change that happens now is heard once.
func expectHeard(_ log: Log<Int>, _ value: Int, _ change: () -> Void) {
  let count = log.count
  change()
  expect(Array(log.all[count...]), equals: [value], as: "calls afterwards")
}

/// Expects that a change that happens now isn't heard.
func expectSilence(_ log: Log<Int>, _ change: () -> Void) {
  let count = log.count
  change()
  expect(Array(log.all[count...]), equals: [], as: "calls afterwards")
}

/// Expects that a value was heard.
func expectHeard(_ log: Log<Int>, _ value: Int) {
  expect(log.all.contains(value), "\(value) was not heard: \(log.all)")
}
