// MARK: Checking the layout

extension KeyPathComponent {
  /// A class with key paths of each kind of component.
  private class Sample {
    struct Pair {
      var first = 0
      var second = 0
    }

    var next: Sample? { nil }
    var other: Sample? { nil }
    var number: Int {
      get { 0 }
      set {}
    }
    final var pair = Pair()
    final let constant = 0
    subscript(index: Int, text: String) -> Sample? { nil }
  }

  private final class SubclassedSample: Sample {}

  private final class OverridingSample: Sample {
    override var number: Int {
      get { 1 }
      set {}
    }

    override subscript(index: Int, text: String) -> Sample? { index == 1 && text == "a" ? self : nil }
  }

  /// Whether known key paths are read as expected.
  static let areUnderstood: Bool = {
    guard let next = read(\Sample.next), let other = read(\Sample.other), let number = read(\Sample.number),
      let inherited = read(\SubclassedSample.number), let chain = read(\Sample.next?.other?.number),
      let forced = read(\Sample.next!.pair.second), let indexed = read(\Sample[1, "a"]?.number),
      let length = read(\Sample.next?.pair.first.description.count), let constant = read(\Sample.constant)
    else { return false }
    return next.map(\.kind) == [.computed] && number.map(\.kind) == [.computed]
      && number[0].isSettable && !next[0].isSettable && !number[0].hasArguments
      && next[0].identity != nil && next[0].identity != other[0].identity
      && number[0].identity != nil && number[0].identity == inherited[0].identity
      && inherited[0].rootType == SubclassedSample.self
      && chain.map(\.kind) == [.computed, .optionalChain, .computed, .optionalChain, .computed, .optionalWrap]
      && [chain[0], chain[2], chain[4]].map(\.identity) == [next[0], other[0], number[0]].map(\.identity)
      && chain.map { ObjectIdentifier($0.rootType) }
        == [Sample.self, Sample?.self, Sample.self, Sample?.self, Sample.self, Int.self].map(ObjectIdentifier.init)
      && chain[5].valueType == Int?.self && chain[4].valueType == Int.self
      && forced.count == 4 && forced[1].kind == .optionalForce && forced[1].valueType == Sample.self
      && isClassField(forced[2], isVariable: true) && constant.count == 1
      && isClassField(constant[0], isVariable: false)
      && forced[3].kind == .structField(offset: MemoryLayout<Int>.size)
      && indexed.map(\.kind) == [.computed, .optionalChain, .computed, .optionalWrap]
      && indexed[0].hasArguments && indexed[0].identity != next[0].identity
      && indexed[2].identity == number[0].identity && indexed[2].rootType == Sample.self
      && length.count == 7 && length[4].valueType == String.self && length[5].valueType == Int.self
  }()

  /// Whether getters can be called, and those that override others be recognized.
  static let areGettersUnderstood: Bool = {
    let (numberPath, indexedPath) = (\Sample.number, \Sample[1, "a"])
    guard let number = KeyPathComponent.all(of: numberPath)?.first,
      let indexed = KeyPathComponent.all(of: indexedPath)?.first,
      let getter = number.getter(in: Sample.self, declaredBy: Sample.self)
    else { return false }
    let sample = OverridingSample()
    return withExtendedLifetime((numberPath, indexedPath)) {
      number.value(of: Sample(), as: Int.self) == 0 && number.value(of: sample, as: Int.self) == 1
        && (indexed.value(of: sample, as: Sample?.self) ?? nil) === sample
        && number.getter(in: SubclassedSample.self, declaredBy: Sample.self) == getter
        && number.getter(in: OverridingSample.self, declaredBy: Sample.self) != getter
    }
  }()

  private static func isClassField(_ component: KeyPathComponent, isVariable: Bool) -> Bool {
    if case .classField(_, isVariable) = component.kind { true } else { false }
  }
}
