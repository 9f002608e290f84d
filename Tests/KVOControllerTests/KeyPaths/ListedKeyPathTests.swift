import KVOController
import Testing
import _KVOTestSupport

/// A key path that a class lists has the names of the properties that it leads through, where these have names of their own.
@Suite struct ListedKeyPathTests {
  private final class User: KeyValueObject {
    @Observed var id = 1
    @Observed var count = 0
    @Observed var lead: User?
    var twice: Int {
      get { 2 * count }
      set { count = newValue / 2 }
    }

    override class var keyPaths: [String: AnyKeyPath] {
      ["uid": \User.id, "leadID": \User.lead?.id, "twice": \User.twice, "double": \User.twice]
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "double" ? ["count"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  private class Base: KeyValueObject {
    @Observed private var x = 10
    @Observed var y = 1
    func changeX() { x += 1 }
    static var x: KeyPath<Base, Int> { \.x }
  }

  private final class Derived: Base {
    var x: String { "\(y)" }
    override class var keyPaths: [String: AnyKeyPath] { ["x": \Derived.x] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "x" ? ["y"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  private let recorder = Recorder()

  @Test func anObservedPropertyKeepsItsName() {
    let (user, controller) = (User(), KVOController(observer: recorder))
    var ids: [Int?] = []
    let token = controller.observe(user, \.id) { _, change in ids.append(change.newValue) }
    #expect(token.keyPath == "id")
    user.id = 2
    controller.unobserve(user, keyPath: "id")
    user.id = 3
    #expect(ids == [2])
    #expect(user.value(forKey: "uid") as? Int == 3)
  }

  @Test func aPathOfObservedPropertiesKeepsItsNames() {
    let (user, leads, controller) = (User(), [User(), User()], KVOController(observer: recorder))
    user.lead = leads[0]
    var ids: [Int??] = []
    let token = controller.observe(user, \.lead?.id) { _, change in ids.append(change.newValue) }
    #expect(token.keyPath == "lead.id")
    leads[0].id = 2
    user.lead = leads[1]
    leads[1].id = 3
    #expect(ids == [2, 1, 3])
  }

  @Test func aPathThatIsNilAtFirstGetsItsNames() {
    final class Boss: KeyValueObject {
      @Observed var id = 1
      @Observed var next: Boss?
      override class var keyPaths: [String: AnyKeyPath] { ["nextID": \Boss.next?.id, "number": \Boss.id] }
    }
    let (boss, next, controller) = (Boss(), Boss(), KVOController(observer: recorder))
    var ids: [Int??] = []
    let token = controller.observe(boss, \.next?.id) { _, change in ids.append(change.newValue) }
    boss.next = next
    next.id = 2
    boss.next = nil
    #expect(ids == [1, 2, .some(nil)])
    #expect(token.keyPath == "next.id")
  }

  @Test func aForcedStepThatIsNilHasNoValue() {
    final class Owner: KeyValueObject {
      @Observed var user: User?
      override class var keyPaths: [String: AnyKeyPath] { ["count": \Owner.user!.count] }
    }
    let owner = Owner()
    var received: [Int?] = []
    let controller = KVOController(observer: recorder)
    controller.observe(owner, keyPath: "count", options: .new) { _, _, change in
      received.append(change[.newKey] as? Int)
    }
    #expect(owner.value(forKey: "count") == nil)
    owner.user = User()
    owner.user = nil
    #expect(received == [User().count, nil])
  }

  @Test func aPropertyThatIsListedTwiceHasTheFirstName() {
    let (user, controller) = (User(), KVOController(observer: recorder))
    var values: [Int?] = []
    let token = controller.observe(user, \.twice) { _, change in values.append(change.newValue) }
    #expect(token.keyPath == "double")
    user.count = 2
    #expect(values == [4])
  }

  /// A subclass can't know the private properties of its superclass.
  @Test func aListedPropertyOfAnotherTypeIsNoOverride() {
    let (object, controller) = (Derived(), KVOController(observer: recorder))
    var received: [String] = []
    controller.observe(object, Base.x) { _, change in received.append("base \(change.newValue ?? 0)") }
    controller.observe(object, \Derived.x) { _, change in received.append("derived \(change.newValue ?? "")") }
    controller.observe(object, keyPath: "x", options: .new, identifier: 1) { _, _, change in
      received.append("name \(change[.newKey] ?? "")")
    }
    object.changeX()
    #expect(received == ["base 11"])
    object.y = 2
    #expect(received.dropFirst().sorted() == ["derived 2", "name 2"])
    object.willChangeValue(forKey: "x")
    object.didChangeValue(forKey: "x")
    #expect(received.dropFirst(3).sorted() == ["derived 2", "name 2"])
  }
}
