import KVOController
import Testing

/// How the name of a property of Objective-C is found, by which Foundation observes it.
@Suite struct DeclaringClassTests {
  private final class FakeClass: DeclaringClass, Sendable {
    let declaredProperties: [(name: String, customGetter: String?)]
    let superclass: FakeClass?
    private let getters: [String]

    init(
      _ properties: [(name: String, customGetter: String?)], getters: [String] = [],
      inheritsFrom superclass: FakeClass? = nil
    ) {
      declaredProperties = properties
      self.getters = getters
      self.superclass = superclass
    }

    func declaredGetter(_ identity: PropertyIdentity) -> String? {
      getters.first { Self.identity(ofGetter: $0) == identity }
    }

    static func identity(ofGetter name: String) -> PropertyIdentity {
      PropertyIdentity(address: UInt(name.utf8.reduce(1) { $0 * 31 + Int($1) }))
    }
  }

  private func identity(_ getter: String) -> PropertyIdentity { FakeClass.identity(ofGetter: getter) }

  private let base = FakeClass([("title", nil), ("hidden", "isHidden")])

  @Test func aPropertyIsFoundByItsGetter() {
    #expect(base.name(of: identity("title")) == "title")
    #expect(base.name(of: identity("subtitle")) == nil)
  }

  @Test func aCustomGetterLeadsToThePropertysName() {
    #expect(base.name(of: identity("isHidden")) == "hidden")
    #expect(base.name(of: identity("hidden")) == nil)
  }

  @Test func superclassesAreSearched() {
    let derived = FakeClass([("tags", nil)], inheritsFrom: FakeClass([], inheritsFrom: base))
    #expect(derived.name(of: identity("tags")) == "tags")
    #expect(derived.name(of: identity("isHidden")) == "hidden")
  }

  @Test func theNearestClassIsAskedFirst() {
    let derived = FakeClass([("caption", "title")], inheritsFrom: base)
    #expect(derived.name(of: identity("title")) == "caption")
  }

  /// As of `AVPlayer`, whose list lacks `rate`, `currentItem`, and `muted`: its header has them in categories without an
  /// implementation of their own.
  @Test func aMethodStandsForAPropertyThatIsNotListed() {
    let player = FakeClass([("status", nil)], getters: ["rate", "currentItem", "isMuted"], inheritsFrom: base)
    #expect(player.name(of: identity("rate")) == "rate")
    #expect(FakeClass([], inheritsFrom: player).name(of: identity("currentItem")) == "currentItem")
    #expect(player.name(of: identity("volume")) == nil)
  }

  @Test(arguments: ["isMuted": "muted", "isURLValid": "URLValid", "issue": "issue", "is": "is", "island": "island"])
  func aMethodsNameIsTheKeyWithoutIs(getter: String, key: String) {
    #expect(FakeClass([], getters: [getter]).name(of: identity(getter)) == key)
  }

  @Test func aListedPropertyOfASuperclassPrecedesAMethod() {
    let derived = FakeClass([], getters: ["isHidden", "title"], inheritsFrom: FakeClass([("caption", "title")]))
    #expect(derived.name(of: identity("title")) == "caption")
  }
}
