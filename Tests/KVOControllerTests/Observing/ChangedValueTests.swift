import KVOController
import Testing
import _KVOTestSupport

/// The values for `new` and `old`.
@Suite struct ChangedValueTests {
  let recorder = Recorder()

  private struct Point {
    var x = 0
    var y = 0
  }

  private enum Shape { case circle(radius: Double), none }

  private struct Failure: Error {}

  /// Sets the value of a box and returns the values for `old` and `new`, if they are of that type.
  private func roundTrip<Value>(_ old: Value, _ new: Value) throws -> (old: Value, new: Value) {
    let box = Box(old)
    recorder.observe(box, "value")
    box.value = new
    let change = try #require(recorder.calls.last?.dictionary)
    #expect(change.count == 3)
    return (try #require(change[.oldKey] as? Value), try #require(change[.newKey] as? Value))
  }

  @Test func numbersOfAnyWidthComeBack() throws {
    #expect(try roundTrip(1 as Int8, 2).new == 2)
    #expect(try roundTrip(1 as UInt8, 2).new == 2)
    #expect(try roundTrip(1 as Int16, 2).new == 2)
    #expect(try roundTrip(1 as UInt16, 2).new == 2)
    #expect(try roundTrip(1 as Int32, 2).new == 2)
    #expect(try roundTrip(1 as UInt32, 2).new == 2)
    #expect(try roundTrip(1 as Int64, .min).new == .min)
    #expect(try roundTrip(1 as UInt64, .max).new == .max)
    #expect(try roundTrip(1 as UInt, .max).new == .max)
    #expect(try roundTrip(1 as Float, 0.5).new == 0.5)
    #expect(try roundTrip(1 as Double, 0.1).new == 0.1)
    #expect(try roundTrip(false, true) == (false, true))
  }

  @Test func structuresAndEnumerationsComeBack() throws {
    let points = try roundTrip(Point(x: 1, y: 2), Point(x: 3, y: 4))
    #expect(points.old.y == 2 && points.new.x == 3)
    guard case .circle(radius: 2) = try roundTrip(Shape.none, .circle(radius: 2)).new else {
      Issue.record("not the circle")
      return
    }
  }

  @Test func foundationsValueTypesComeBack() throws {
    let uuid = UUID()
    #expect(try roundTrip(UUID(), uuid).new == uuid)
    #expect(
      try roundTrip(Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)).old.timeIntervalSince1970 == 1)
    #expect(try roundTrip(Data([1]), Data([2])).new == Data([2]))
    #expect(try roundTrip(IndexSet(integer: 1), IndexSet(integer: 2)).new == IndexSet(integer: 2))
    #expect(try roundTrip(Decimal(1), Decimal(2)).new == 2)
  }

  @Test func collectionsOfAnythingComeBack() throws {
    #expect(try roundTrip([Point()], [Point(), Point(x: 5)]).new.last?.x == 5)
    #expect(try roundTrip(["a": 1], ["b": 2]).new == ["b": 2])
    #expect(try roundTrip(Set([1]), [2, 3]).new == [2, 3])
    #expect(try roundTrip([nil, 1], [2, nil] as [Int?]).new == [2, nil])
    #expect(try roundTrip("", "text").new == "text")
  }

  @Test func existentialsAndReferencesComeBack() throws {
    let nodes = (Node("a"), Node("b"))
    #expect(try roundTrip(nodes.0, nodes.1).new === nodes.1)
    #expect(try roundTrip("a" as any CustomStringConvertible, 7).new.description == "7")
    #expect(try roundTrip(1 as Any, "text" as Any).new as? String == "text")
    #expect(try roundTrip({ 1 }, { 2 }).new() == 2)
  }

  // MARK: Where they are read

  /// Serves a key of its own making, and answers falsely for a property.
  private final class Server: KeyValueObject {
    @Observed var name = "property"
    var served = 1

    override func value(forKey key: String) -> Any? {
      switch key {
      case "served": served
      case "name": "override"
      case "listed": "override of \(super.value(forKey: key) as? String ?? "nothing")"
      default: super.value(forKey: key)
      }
    }

    var listed: String { name }

    override class var keyPaths: [String: AnyKeyPath] { ["listed": \Server.listed] }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "listed" ? ["name"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  @Test func classCanServeAdditionalKeys() {
    let server = Server()
    recorder.observe(server, "served", [.initial, .new, .old])
    server.willChangeValue(forKey: "served")
    server.served = 2
    server.didChangeValue(forKey: "served")
    #expect(recorder.take() == [.setting(new: 1), .setting(new: 2, old: 1)])
  }

  @Test func anObservedKeyIsReadFromItsProperty() {
    let server = Server()
    recorder.observe(server, "name", [.initial, .new, .old])
    server.name = "changed"
    #expect(recorder.take() == [.setting(new: "property"), .setting(new: "changed", old: "property")])
  }

  @Test func aListedKeyIsReadThroughItsOverride() {
    let server = Server()
    recorder.observe(server, "listed", [.initial, .new, .old])
    server.name = "changed"
    #expect(
      recorder.take() == [
        .setting(new: "override of property"),
        .setting(new: "override of changed", old: "override of property"),
      ])
  }

  // MARK: Mutation in place

  @Test func mutationInPlaceIsOneSettingOfTheWhole() {
    let node = Node()
    recorder.observe(node, "items", [.new, .old, .prior])
    node.items.append(1)
    #expect(recorder.take() == [.prior(old: [Int]()), .setting(new: [1], old: [Int]())])
    node.items += [2, 3]
    #expect(recorder.take() == [.prior(old: [1]), .setting(new: [1, 2, 3], old: [1])])
    node.items[1] = 9
    #expect(recorder.take() == [.prior(old: [1, 2, 3]), .setting(new: [1, 9, 3], old: [1, 2, 3])])
    node.items.removeAll { $0 > 1 }
    #expect(recorder.take() == [.prior(old: [1, 9, 3]), .setting(new: [1], old: [1, 9, 3])])
  }

  @Test func arithmeticAndInoutArgumentsAreOneSetting() {
    let node = Node("a", number: 1)
    recorder.observe(node, "number")
    node.number += 1
    #expect(recorder.take() == [.setting(new: 2, old: 1)])
    func mutate(_ number: inout Int) {
      number = 7
      number = 8
    }
    mutate(&node.number)
    #expect(recorder.take() == [.setting(new: 8, old: 2)])
  }

  @Test func memberOfAStructureInPlaceIsOneSettingOfTheWhole() throws {
    let box = Box(Point())
    recorder.observe(box, "value")
    box.value.y = 4
    #expect(recorder.calls.count == 1)
    #expect((recorder.calls[0].dictionary[.oldKey] as? Point)?.y == 0)
    #expect((recorder.calls[0].dictionary[.newKey] as? Point)?.y == 4)
  }

  @Test func optionalChainingAssignsOnlyToWhatIsThere() {
    let node = Node()
    recorder.observe(node, "optional")
    node.optional = 1
    node.optional? += 1
    #expect(recorder.take() == [.setting(new: 1, old: null), .setting(new: 2, old: 1)])
  }

  @Test func mutationThatThrowsIsOneSettingToo() {
    let node = Node()
    recorder.observe(node, "items")
    func mutate(_ items: inout [Int]) throws {
      items.append(1)
      throw Failure()
    }
    #expect(throws: Failure.self) { try mutate(&node.items) }
    #expect(recorder.take() == [.setting(new: [1], old: [Int]())])
    node.items = []
    #expect(recorder.take() == [.setting(new: [Int](), old: [1])])
  }

  @Test func settingThroughASwiftKeyPathNotifiesOnce() {
    let node = Node("a", number: 1)
    recorder.observe(node, "number")
    node[keyPath: \.number] = 2
    #expect(recorder.take() == [.setting(new: 2, old: 1)])
    node[keyPath: \.number] += 2
    #expect(recorder.take() == [.setting(new: 4, old: 2)])
  }

  @Test func valuesOfAllKindsOfTypesAreReceivedAsTheyAre() throws {
    func typed<Value>(_ value: Value) -> (Value?, Value??) {
      let changed = ChangedValue.value(value)
      return (changed.typed(as: Value.self), changed.typed(as: Value?.self))
    }
    let add: (Int, String) -> String = { "\($0)\($1)" }
    #expect(typed(add).0?(1, "a") == "1a")
    #expect(typed(add).1??(2, "b") == "2b")
    #expect(typed(Int.self).0 == Int.self)
    #expect((typed(Int.self).1 ?? nil) == Int.self)
    #expect(try #require(typed((1, "a")).0) == (1, "a"))
    #expect(try #require(typed((2, "b")).1 ?? nil) == (2, "b"))
    let node = Node("node")
    #expect(typed(node).0 === node)
    #expect(typed(node).1 ?? nil === node)
    let object: KeyValueObservable = node
    #expect(ChangedValue.value(object).typed(as: Node.self) === node)
    #expect(ChangedValue.value(object).typed(as: Node?.self) ?? nil === node)
    #expect(typed(object).0 === node)
    let large = Array(repeating: "text", count: 20)[...]
    #expect(typed(large).0 == large)
    #expect(typed(large).1 == large)
    struct Empty: Equatable {}
    #expect(typed(Empty()).0 == Empty())
    let error: any Error = CancellationError()
    #expect(typed(error).0 is CancellationError)
    #expect((typed(error).1 ?? nil) is CancellationError)
  }
}
