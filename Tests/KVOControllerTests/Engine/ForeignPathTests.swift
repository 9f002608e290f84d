#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport
import _RandomPrograms

/// Paths that lead through objects that the engine doesn't observe itself behave like all others, wherever these are: at the
/// head of the path, in the middle, or at its end.
@Suite(.watched, .serialized) struct ForeignPathTests {
  /// A node of the engine's.
  final class OwnNode: KeyValueObject, @unchecked Sendable {
    @Observed var child: KeyValueObject?
    @Observed var number: Int? = 0
    @Observed var factor = 1
    @Observed var items: [KeyValueObject] = []
    var total: Int { (number ?? 0) * factor }

    override class var keyPaths: [String: AnyKeyPath] { ["total": \OwnNode.total] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "total" ? ["number", "factor"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  /// Which objects are foreign: one bit for each.
  struct Arrangement: Sendable, CustomStringConvertible {
    let bits: Int
    var isRetaining = true

    func node(_ index: Int, _ number: Int = 0) -> KeyValueObject {
      let node: KeyValueObject = bits >> index & 1 == 1 ? ForeignNode() : OwnNode()
      node.setValue(number, forKey: "number")
      return node
    }

    var description: String {
      (0..<3).map { bits >> $0 & 1 == 1 ? "foreign" : "own" }.joined(separator: ".")
        + (isRetaining ? "" : ", unretained")
    }

    static let all = (0..<8).flatMap { [Arrangement(bits: $0), Arrangement(bits: $0, isRetaining: false)] }
    static let own = Arrangement(bits: 0)
  }

  private static let options: [NSKeyValueObservingOptions] = [
    [], .new, .old, [.new, .old], [.new, .old, .prior], [.initial, .new], [.initial, .prior],
    [.new, .old, .initial, .prior],
  ]

  private let observer = Watcher()

  /// What an observer of `"child.child.number"` receives while the objects on the path change.
  private func changes(_ arrangement: Arrangement, _ options: NSKeyValueObservingOptions) -> [Change] {
    let controller = KVOController(observer: observer, retainObserved: arrangement.isRetaining)
    let root = arrangement.node(0)
    let (first, second) = (arrangement.node(1), arrangement.node(1))
    let (leaf, other) = (arrangement.node(2, 1), arrangement.node(2, 10))
    root.setValue(first, forKey: "child")
    first.setValue(leaf, forKey: "child")
    second.setValue(other, forKey: "child")
    var changes: [Change] = []
    func mark(_ name: String) { changes.append(Change(.setting, new: name)) }
    controller.observe(root, keyPath: "child.child.number", options: options) { _, object, change in
      #expect(object as AnyObject === root)
      changes.append(Change(change))
    }
    mark("leaf")
    leaf.setValue(2, forKey: "number")
    mark("second")
    root.setValue(second, forKey: "child")
    leaf.setValue(3, forKey: "number")
    first.setValue(other, forKey: "child")
    mark("other")
    other.setValue(11, forKey: "number")
    mark("nil")
    second.setValue(nil, forKey: "child")
    other.setValue(12, forKey: "number")
    mark("nothing")
    root.setValue(nil, forKey: "child")
    second.setValue(leaf, forKey: "child")
    mark("again")
    root.setValue(second, forKey: "child")
    leaf.setValue(4, forKey: "number")
    mark("end")
    controller.unobserve(root, keyPath: "child.child.number")
    leaf.setValue(5, forKey: "number")
    second.setValue(nil, forKey: "child")
    root.setValue(nil, forKey: "child")
    return changes
  }

  private func expectSoundness(_ count: Int = ForeignNode.count, _ location: SourceLocation = #_sourceLocation) {
    let violations = ForeignNode.violations.withLock { violations in
      defer { violations = [] }
      return violations
    }
    #expect(violations == [], sourceLocation: location)
    #expect(ForeignNode.count == 0, "registrations are left", sourceLocation: location)
  }

  @Test(arguments: Arrangement.all) func observersReceiveWhatTheyReceiveFromOwnObjects(_ arrangement: Arrangement) {
    for options in Self.options {
      #expect(changes(arrangement, options) == changes(.own, options), "\(options)")
    }
    expectSoundness()
  }

  // MARK: Keys with dependencies, and typed key paths

  @Test func aDependentKeyMayLeadThroughForeignObjects() {
    final class Player: KeyValueObject, @unchecked Sendable {
      @Observed var item: ForeignNode?
      var title: String { "\(item?["number"] as? Int ?? -1)" }

      override class var keyPaths: [String: AnyKeyPath] { ["title": \Player.title] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "title" ? ["item.number"] : super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
    do {
      let player = Player()
      let items = [ForeignNode(), ForeignNode()]
      var titles: [String?] = []
      let token = player.observe(\.title, options: [.new, .old]) { _, change in
        titles += [change.oldValue, change.newValue]
      }
      player.item = items[0]
      items[0]["number"] = 1
      player.item = items[1]
      items[0]["number"] = 2
      items[1]["number"] = 3
      token.invalidate()
      items[1]["number"] = 4
      #expect(titles == ["-1", "-1", "-1", "1", "1", "-1", "-1", "3"])
    }
    expectSoundness()
  }

  @Test(arguments: Arrangement.all) func anOwnKeyAtTheEndMayDependOnOthers(_ arrangement: Arrangement) {
    guard arrangement.bits < 4 else { return }
    do {
      let (root, middle) = (arrangement.node(0), arrangement.node(1))
      let leaf = OwnNode()
      root.setValue(middle, forKey: "child")
      middle.setValue(leaf, forKey: "child")
      var totals: [Int?] = []
      let controller = KVOController(observer: observer, retainObserved: arrangement.isRetaining)
      controller.observe(root, keyPath: "child.child.total", options: .new) { _, _, change in
        totals.append(change[.newKey] as? Int)
      }
      leaf.number = 2
      leaf.factor = 5
      middle.setValue(nil, forKey: "child")
      leaf.number = 3
      #expect(totals == [2, 10, nil])
    }
    expectSoundness()
  }

  // MARK: Lifetimes

  @Test(arguments: Arrangement.all) func rootIsDeallocatedWhileObserved(_ arrangement: Arrangement) {
    do {
      let controller = KVOController(observer: observer, retainObserved: false)
      let (middle, leaf) = (arrangement.node(1), arrangement.node(2))
      middle.setValue(leaf, forKey: "child")
      var count = 0
      var token: KVOObservation?
      do {
        let root = arrangement.node(0)
        root.setValue(middle, forKey: "child")
        controller.observe(root, keyPath: "child.child.number") { _, _, _ in count += 1 }
        controller.observe(root, keyPath: "number") { _, _, _ in count += 1 }
        if let root = root as? OwnNode { token = controller.observe(root, \.child) { _, _ in } }
      }
      middle.setValue(nil, forKey: "child")
      leaf.setValue(7, forKey: "number")
      #expect(count == 0)
      #expect(token?.isValid != true)
      #expect(!controller.debugDescription.contains("number"))
    }
    expectSoundness()
  }

  @Test(arguments: Arrangement.all) func anObjectThatObservesItselfLeavesNothingOnOthers(_ arrangement: Arrangement) {
    do {
      let (middle, leaf) = (arrangement.node(1), arrangement.node(2))
      middle.setValue(leaf, forKey: "child")
      var count = 0
      do {
        let root = arrangement.node(0)
        root.setValue(middle, forKey: "child")
        root.kvoController.observe(root, keyPath: "child.child.number") { _, _, _ in count += 1 }
        leaf.setValue(1, forKey: "number")
      }
      #expect(count == 1)
      leaf.setValue(2, forKey: "number")
      middle.setValue(nil, forKey: "child")
      #expect(count == 1)
    }
    expectSoundness()
  }

  @Test(arguments: [false, true]) func objectOnThePathIsDeallocated(_ mustOutlive: Bool) {
    /// Leads to an object that it doesn't retain, and doesn't notify when it is gone.
    final class Holder: KeyValueObject, @unchecked Sendable {
      weak var held: ForeignNode?
      override class var keyPaths: [String: AnyKeyPath] { ["held": \Holder.held] }
    }
    do {
      let holder = Holder()
      let controller = KVOController(observer: observer)
      var values: [Int?] = []
      do {
        let node = ForeignNode(mustOutliveRegistrations: mustOutlive)
        node["number"] = 1
        holder.held = node
        controller.observe(holder, keyPath: "held.number", options: .new) { _, _, change in
          values.append(change[.newKey] as? Int)
        }
        node["number"] = 2
      }
      #expect((holder.held != nil) == mustOutlive)
      let next = ForeignNode()
      holder.willChangeValue(forKey: "held")
      holder.held = next
      holder.didChangeValue(forKey: "held")
      next["number"] = 3
      #expect(values == [2, nil, 3])
    }
    expectSoundness()
  }

  @Test func classWithItsOwnRegistrationTakesTheRestOfThePath() {
    do {
      let (root, leaf) = (OwnNode(), ForeignNode())
      let proxy = ForeignNode(registersPaths: true)
      root.child = proxy
      proxy["child"] = leaf
      var values: [Int?] = []
      let token = KVOController(observer: observer)
      token.observe(root, keyPath: "child.child.number", options: .new) { _, _, change in
        values.append(change[.newKey] as? Int)
      }
      #expect(proxy.registeredKeyPaths == ["child.number"])
      leaf["number"] = 1
      proxy["child"] = nil
      leaf["number"] = 2
      root.child = nil
      #expect(values == [1, nil, nil])
      token.unobserveAll()
    }
    expectSoundness()
  }

  // MARK: Re-entrancy

  @Test(arguments: Arrangement.all) func handlersCanEndOrRedirectTheObservation(_ arrangement: Arrangement) {
    do {
      // Controllers and tokens can be used on any thread.
      nonisolated(unsafe) let controller = KVOController(observer: observer, retainObserved: arrangement.isRetaining)
      let root = arrangement.node(0)
      let (first, second) = (arrangement.node(1), arrangement.node(1))
      let (leaf, other) = (arrangement.node(2, 1), arrangement.node(2, 10))
      root.setValue(first, forKey: "child")
      first.setValue(leaf, forKey: "child")
      second.setValue(other, forKey: "child")
      var values: [Int?] = []
      controller.observe(root, keyPath: "child.child.number", options: .new) { _, _, change in
        values.append(change[.newKey] as? Int)
        if values.count == 1 { root.setValue(second, forKey: "child") }
        if values.count == 3 { controller.unobserveAll() }
      }
      leaf.setValue(2, forKey: "number")
      leaf.setValue(3, forKey: "number")
      other.setValue(11, forKey: "number")
      other.setValue(12, forKey: "number")
      #expect(values == [2, 10, 11])
    }
    expectSoundness()
  }

  @Test func theObservationMayEndWhileItIsRegistered() {
    do {
      let (root, node) = (OwnNode(), ForeignNode())
      root.child = node
      var token: KVOObservation?
      let controller = KVOController(observer: observer)
      token = controller.observe(root, \.number) { _, _ in }
      node.whenAboutToRegister = { controller.unobserveAll() }
      var count = 0
      controller.observe(root, keyPath: "child.number") { _, _, _ in count += 1 }
      node.whenAboutToRegister = nil
      node["number"] = 1
      #expect(count == 0)
      #expect(token?.isValid == false)
    }
    expectSoundness()
  }

  @Test func aCycleIsFollowedOnce() {
    do {
      let (root, node) = (OwnNode(), ForeignNode())
      root.child = node
      node["child"] = node
      node["number"] = 1
      let controller = KVOController(observer: observer)
      var count = 0
      controller.observe(root, keyPath: "child.child.child") { _, _, _ in count += 1 }
      node["child"] = root
      #expect(count == 1)
      root.child = nil
      #expect(count == 2)
    }
    expectSoundness()
  }

  @Test func operatorsReadForeignObjects() {
    do {
      let (root, nodes) = (OwnNode(), [ForeignNode(), ForeignNode()])
      for (number, node) in nodes.enumerated() { node["number"] = number + 1 }
      let controller = KVOController(observer: observer)
      var sums: [Int?] = []
      controller.observe(root, keyPath: "items.@sum.number", options: .new) { _, _, change in
        sums.append(change[.newKey] as? Int)
      }
      root.items = nodes
      root.items = [nodes[1]]
      #expect(sums == [3, 2])
      let elsewhere = ForeignNode()
      elsewhere["child"] = nodes[0]
      root.child = elsewhere
      root.setValue(7, forKeyPath: "child.child.number")
      #expect(root.value(forKeyPath: "child.child.number") as? Int == 7)
    }
    expectSoundness()
  }

  /// Removing a registration for a key that depends on a dotted path reads the object, whose properties are gone by then.
  @Test(arguments: [false, true]) func selfObservingObjectIsNotReadDuringDeallocation(_ isPath: Bool) {
    do {
      let node = ForeignNode(readsWhenRemoved: true)
      node["child"] = ForeignNode()
      (node["child"] as? ForeignNode)?["number"] = 1
      var count = 0
      node.kvoController.observe(node, keyPath: isPath ? "child.number" : "number") { _, _, _ in count += 1 }
      node["number"] = 1
      (node["child"] as? ForeignNode)?["number"] = 2
      #expect(count == 1)
    }
    expectSoundness()
  }

  // MARK: Threads

  @Test func objectsChangeAndAreDeallocatedWhileObservationsEndOnOtherThreads() {
    for round in 0..<(isSanitized ? 60 : 400) {
      // Foundation's own registrations of paths don't support several threads.
      let bits = 1 + round % 7
      let isOfFoundation = FoundationWay.isAlwaysTaken ? bits & 1 == 1 : bits == 7
      let arrangement = Arrangement(bits: bits, isRetaining: !isOfFoundation && round % 3 == 0)
      let root = Locked<KeyValueObject?>(arrangement.node(0))
      // Both kinds of nodes can be used on several threads.
      nonisolated(unsafe) let middles = [arrangement.node(1), arrangement.node(1)]
      nonisolated(unsafe) let leaf = arrangement.node(2)
      for middle in middles { middle.setValue(leaf, forKey: "child") }
      root.current?.setValue(middles[0], forKey: "child")
      let controller = Locked<KVOController?>(
        KVOController(observer: observer, retainObserved: arrangement.isRetaining))
      let count = Locked(0)
      root.current.map { root in
        controller.current?.observe(root, keyPath: "child.child.number", options: [.new, .old]) {
          _, _, _ in count.add()
        }
      }
      onThreads(3) { number in
        switch number {
        case 0:
          for step in 0..<10 { root.current?.setValue(middles[step % 2], forKey: "child") }
        case 1:
          for step in 0..<10 { leaf.setValue(step, forKey: "number") }
        default:
          if round % 2 == 0 { _ = root.take() } else { controller.current?.unobserveAll() }
          _ = controller.take()
        }
      }
      for middle in middles { middle.setValue(nil, forKey: "child") }
    }
    expectSoundness()
  }

  // MARK: Random programs

  /// The same program with foreign and own objects, which differ in nothing that an observer receives.
  @Test func randomPathsOfBothKinds() {
    let seed = RandomRun.seed
    print("KVO_SEED=\(seed)")
    for program in 0..<(UInt64(RandomRun.operations(12_000)) / 60) {
      let seed = seed &+ program
      let (mixed, own) = (run(seed, isMixed: true), run(seed, isMixed: false))
      guard mixed != own else { continue }
      let first = zip(mixed, own).enumerated().first { $1.0 != $1.1 }?.offset ?? min(mixed.count, own.count)
      Issue.record(
        "KVO_SEED=\(seed): \(mixed.dropFirst(max(0, first - 3)).prefix(8)) instead of \(own.dropFirst(max(0, first - 3)).prefix(8))"
      )
      break
    }
    expectSoundness()
  }

  private func run(_ seed: UInt64, isMixed: Bool) -> [String] {
    var numbers = RandomNumbers(seed: seed)
    let kinds = (0..<6).map { _ in Bool.random(using: &numbers) }
    var nodes: [KeyValueObject] = kinds.map { isMixed && $0 ? ForeignNode() : OwnNode() }
    var heard: [Int: [String]] = [:]
    let controllers = [true, false].map { KVOController(observer: observer, retainObserved: $0) }
    let paths = ["number", "child", "child.number", "child.child", "child.child.number", "child.child.child.number"]
    for node in nodes { node.setValue(0, forKey: "number") }
    for step in 0..<60 {
      let index = Int.random(in: nodes.indices, using: &numbers)
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0, 1:
        let path = paths[Int.random(in: paths.indices, using: &numbers)]
        let options = NSKeyValueObservingOptions(rawValue: UInt.random(in: 0..<16, using: &numbers))
        let controller = controllers[Int.random(in: 0..<2, using: &numbers)]
        controller.observe(nodes[index], keyPath: path, options: options, identifier: step) {
          _, _, change in
          // Objects have no common description.
          let values = [NSKeyValueChangeKey.oldKey, .newKey].map { key in
            change[key].map { $0 is KeyValueObject ? "object" : "\($0)" } ?? "-"
          }
          heard[step, default: []].append("\(values) \(change[.notificationIsPriorKey] ?? "")")
        }
      case 2:
        let path = paths[Int.random(in: paths.indices, using: &numbers)]
        controllers[Int.random(in: 0..<2, using: &numbers)].unobserve(nodes[index], keyPath: path)
      case 3:
        // A new object in the place of an old one, which may die now.
        nodes[index] = isMixed && kinds[index] ? ForeignNode() : OwnNode()
        nodes[index].setValue(step, forKey: "number")
      case 4, 5, 6:
        nodes[index].setValue(step, forKey: "number")
      default:
        // No cycles, so that objects die.
        let child = Int.random(in: 0...nodes.count, using: &numbers)
        nodes[index].setValue(child < nodes.count && child > index ? nodes[child] : nil, forKey: "child")
      }
    }
    for controller in controllers { controller.unobserveAll() }
    return heard.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
  }
}
#endif
