import KeyValueObserving
import Testing

private class Player: KeyValueObject {
  @Observed private var isLoading = false
  var volume = 0.5
}

private final class Radio: Player, CustomReflectable {
  @Observed private var isLoading: Int? = 1
  @Observed var stations = ["a"]

  var customMirror: Mirror { Mirror(self, children: ["nothing": 0]) }
}

private final class Rack<Unit>: KeyValueObject {
  @Observed var unit: Unit

  init(_ unit: Unit) {
    self.unit = unit
    super.init()
  }
}

/// The types of a class's properties, which Apple platforms need in addition to their names and offsets.
@Suite struct FieldTypesTests {
  private func types(_ type: AnyClass) -> [String: ObjectIdentifier] {
    FieldTypes.declared(by: type).mapValues { ObjectIdentifier($0) }
  }

  @Test func propertiesHaveTheirTypesWhateverTheMirrorShows() {
    #expect(
      types(Radio.self) == [
        "_isLoading": ObjectIdentifier(Observed<Int?>.self), "_stations": ObjectIdentifier(Observed<[String]>.self),
      ])
  }

  @Test func namesakesOfASuperclassAreItsOwn() {
    #expect(
      types(Player.self) == [
        "_isLoading": ObjectIdentifier(Observed<Bool>.self), "volume": ObjectIdentifier(Double.self),
      ])
  }

  @Test func propertiesOfGenericClassesHaveTheTypesOfEachInstance() {
    #expect(types(Rack<String>.self) == ["_unit": ObjectIdentifier(Observed<String>.self)])
    #expect(types(Rack<[Int]>.self) == ["_unit": ObjectIdentifier(Observed<[Int]>.self)])
  }
}
