import KVOController
import Testing

/// How the name of a property of Objective-C is found, by which Foundation observes it.
@Suite struct DeclaringClassTests {
  private final class FakeClass: DeclaringClass, Sendable {
    let declaredProperties: [(name: String, customGetter: String?)]
    let superclass: FakeClass?

    init(_ properties: [(name: String, customGetter: String?)], inheritsFrom superclass: FakeClass? = nil) {
      declaredProperties = properties
      self.superclass = superclass
    }

    static func identity(ofGetter name: String) -> PropertyIdentity {
      PropertyIdentity(ofSelectorAt: UInt(name.utf8.reduce(1) { $0 * 31 + Int($1) }))
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
}
