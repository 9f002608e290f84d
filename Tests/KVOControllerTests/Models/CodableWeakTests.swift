import KVOController
import Testing
import _KVOTestSupport

/// Each test codes a model beside a class with a plain weak property.
@Suite(.watched) struct CodableWeakTests {
  private final class Leaf: KeyValueObject, Codable {
    @Observed var name = ""
    @ObservedWeak var parent: Leaf?
  }

  private final class PlainLeaf: Codable {
    var name = ""
    weak var parent: PlainLeaf?
  }

  /// Its parent isn't coded.
  private final class Branch: KeyValueObject, Codable {
    @Observed var name = ""
    @Observed var children: [Branch] = []
    @ObservedWeak var parent: Branch?

    enum CodingKeys: CodingKey { case name, children }

    init(_ name: String) { _name = Observed(wrappedValue: name) }

    required init(from decoder: any Decoder) throws {
      super.init()
      let container = try decoder.container(keyedBy: CodingKeys.self)
      _name = try container.decode(Observed<String>.self, forKey: .name)
      children = try container.decode([Branch].self, forKey: .children)
      for child in children { child.parent = self }
    }
  }

  @Test func theObjectIsWrittenLikeThatOfAPlainWeakProperty() throws {
    let (leaf, parent) = (Leaf(), Leaf())
    let (plain, plainParent) = (PlainLeaf(), PlainLeaf())
    for coder in Coder.all {
      #expect(try coder.encode(leaf) == coder.encode(plain))
    }
    (leaf.parent, plain.parent) = (parent, plainParent)
    for coder in Coder.all {
      #expect(try coder.encode(leaf) == coder.encode(plain))
    }
    withExtendedLifetime((parent, plainParent)) {}
  }

  @Test func theObjectThatIsReadIsNotRetained() throws {
    for text in [#"{"name": "x", "parent": {"name": "y"}}"#, #"{"name": "x", "parent": null}"#, #"{"name": "x"}"#] {
      let leaf = try Coder.json.decode(Leaf.self, text)
      #expect(leaf.name == "x")
      #expect(leaf.parent == nil)
      #expect(try Coder.json.decode(PlainLeaf.self, text).parent == nil)
    }
  }

  @Test func errorsHaveThePathsOfAPlainWeakProperty() {
    let text = #"{"name": "x", "parent": {"name": 1}}"#
    #expect(Coder.json.failure(Leaf.self, text) == Coder.json.failure(PlainLeaf.self, text))
  }

  @Test func aTreeIsCodedWithoutItsParents() throws {
    let root = Branch("root")
    root.children = [Branch("first"), Branch("second")]
    for child in root.children { child.parent = root }
    let text = try Coder.json.encode(root)
    let copy = try Coder.json.decode(Branch.self, text)
    #expect(try Coder.json.encode(copy) == text)
    #expect(copy.children.allSatisfy { $0.parent === copy })
  }

  @Test func aPropertyOfItsOwnIsCodedAsItsObject() throws {
    let leaf = Leaf()
    #expect(try Coder.json.encode([ObservedWeak(wrappedValue: leaf)]) == #"[{"name":""}]"#)
    #expect(try Coder.json.encode([ObservedWeak<Leaf>()]) == "[null]")
    #expect(try Coder.json.decode([ObservedWeak<Leaf>].self, "[null]").count == 1)
  }
}
