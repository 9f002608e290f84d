import KVOController
import Testing
import _KVOTestSupport

@Suite(.watched) struct ObservedKeysTests {
  @Test func theyAreThePropertiesInOrderAndThenTheListedKeys() {
    #expect(Base.observedKeys == ["title", "artist", "plays", "caption", "summary"])
  }

  @Test func thoseOfTheSuperclassComeFirst() {
    #expect(Derived.observedKeys == ["title", "artist", "plays", "caption", "summary", "zone", "area", "label"])
  }

  @Test func aClassWithoutKeysHasNone() {
    #expect(KeyValueObject.observedKeys == [])
    #expect(Empty.observedKeys == [])
  }

  @Test func anOverrideOrAListedPropertyIsThereOnce() {
    #expect(Listing.observedKeys == ["title", "artist", "plays", "caption", "summary"])
  }

  @Test func equalPrivateNamesAreThereOnce() {
    #expect(Namesake.observedKeys == ["title", "artist", "plays", "caption", "summary"])
  }

  @Test func aGenericClassHasThem() {
    #expect(Depot<Int>.observedKeys == ["value", "values"])
    #expect(Depot<[String]>.observedKeys == ["value", "values"])
  }

  @Test func theyAreThoseOfTheDynamicClass() {
    let object: KeyValueObject = Derived()
    #expect(type(of: object).observedKeys == Derived.observedKeys)
  }

  @Test func eachOfThemCanBeRead() {
    let object = Derived()
    for key in Derived.observedKeys { #expect(object.value(forKey: key) != nil) }
  }
}

private class Base: KeyValueObject {
  @Observed var title = ""
  let constant = 1
  var plain = 2
  @Observed private var artist = ""
  @Observed var plays = 0
  var summary: String { title + artist }
  var caption: String { title }

  override class var keyPaths: [String: AnyKeyPath] { ["summary": \Base.summary, "caption": \Base.caption] }
}

private final class Derived: Base {
  @Observed var zone = ""
  @Observed var area = 0
  var label: String { zone }

  override class var keyPaths: [String: AnyKeyPath] { ["label": \Derived.label] }
}

private final class Empty: KeyValueObject {}

private final class Listing: Base {
  override var title: String {
    get { super.title }
    set { super.title = newValue }
  }

  override class var keyPaths: [String: AnyKeyPath] {
    super.keyPaths.merging(["title": \Listing.title, "plays": \Listing.plays]) { $1 }
  }
}

private final class Namesake: Base {
  @Observed private var artist = 0
}

private final class Depot<Value>: KeyValueObject {
  @Observed var value: Value
  @Observed var values: [Value]

  init(_ value: Value) { (_value, _values) = (Observed(wrappedValue: value), Observed(wrappedValue: [value])) }
}
