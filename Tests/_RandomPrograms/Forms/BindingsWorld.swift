import KVOController

/// The same operations with real objects.
final class BindingsWorld {
  struct Pair {
    var first = 0
    var second = 0
  }

  /// All are equal.
  final class Tag: KeyValueObject {
    override func isEqual(_ object: Any?) -> Bool { object is Tag }
    override var hash: Int { 0 }
  }

  final class Pane: KeyValueObject {
    @Observed var pair = Pair()
    @Observed var table: [String: Int] = [:]
    @Observed private var storedNumber: Int
    @Observed var steady = 0 {
      didSet { if let clamped = number.steady.clamped(steady), clamped != steady { steady = clamped } }
    }
    @Observed var tag: Tag
    @Observed var real = 0.0
    @Observed var child: Pane?
    fileprivate let number: Place

    fileprivate init(_ place: Int, _ tag: Tag) {
      number = Place(place)
      storedNumber = number.number.initial
      self.tag = tag
      super.init()
      if !place.isMultiple(of: 2) { kvoController = KVOController(observer: self, retainObserved: false) }
    }

    var value: Int {
      get { storedNumber }
      set { if let made = number.number.made(of: newValue) { storedNumber = made } }
    }
  }

  fileprivate struct Place {
    let (number, steady): (BindingsProperty, BindingsProperty)

    init(_ place: Int) {
      number = BindingsProperty(object: place, name: .number)
      steady = BindingsProperty(object: place, name: .steady)
    }
  }

  static let tagCount = 3
  private let tags = (0..<tagCount).map { _ in Tag() }
  private var panes: [Pane]
  private var reactions: [(observed: Int, changed: Int, controller: KVOController)] = []

  init() {
    panes = (0..<BindingsProperty.objects).map { [tags] in Pane($0, tags[0]) }
  }

  private static func keyPath(_ name: BindingsProperty.Name) -> ReferenceWritableKeyPath<Pane, Int>? {
    switch name {
    case .first: \.pair.first
    case .second: \.pair.second
    case .left: \.table[number: "left"]
    case .right: \.table[number: "right"]
    case .number: \.value
    case .steady: \.steady
    case .tag, .real, .child: nil
    }
  }

  subscript(property: BindingsProperty) -> Int {
    let pane = panes[property.object]
    if let keyPath = Self.keyPath(property.name) { return pane[keyPath: keyPath] }
    if property.name == .real { return pane.real.isNaN ? BindingsProperty.nan : Int(pane.real) }
    return tags.firstIndex { $0 === pane.tag } ?? -1
  }

  /// Does an operation. Returns what is wrong; nil if nothing is.
  func run(_ operation: BindingsOperation) -> String? {
    switch operation {
    case .bind(let source, let target, let kind): bind(source, target, kind)
    case .set(let property, let value): set(property, value)
    case .setBoth(let property, let first, let second):
      switch property.name {
      case .first, .second: panes[property.object].pair = Pair(first: first, second: second)
      case .left, .right: panes[property.object].table = ["left": first, "right": second]
      default: break
      }
    case .react(let property, let value, let other, let new): react(property, value, other, new)
    case .unobserve(let object, let observer): panes[observer].unobserve(panes[object])
    case .replace(let place): return replace(place)
    }
    return nil
  }

  private func set(_ property: BindingsProperty, _ value: Int) {
    let pane = panes[property.object]
    switch property.name {
    case .tag: pane.tag = tags[value]
    case .real: pane.real = value == BindingsProperty.nan ? .nan : Double(value)
    case .child: pane.child = value < 0 ? nil : panes[value]
    default: if let keyPath = Self.keyPath(property.name) { pane[keyPath: keyPath] = value }
    }
  }

  private func bind(_ source: BindingsPath, _ target: BindingsPath, _ kind: BindingsModel.Kind) {
    let (object, observer) = (panes[source.property.object], panes[target.property.object])
    func bind<Value: Equatable>(
      _ keyPath: ReferenceWritableKeyPath<Pane, Value>, _ targetKeyPath: ReferenceWritableKeyPath<Pane, Value>
    ) {
      let child: ReferenceWritableKeyPath<Pane, Pane> = \.child!
      let path = source.leadsThroughChild ? child.appending(path: keyPath) : keyPath
      let targetPath = target.leadsThroughChild ? child.appending(path: targetKeyPath) : targetKeyPath
      switch kind {
      case .oneWay: observer.bind(object, path, to: targetPath)
      case .bothWays: observer.bindBothWays(object, path, with: targetPath)
      }
    }
    switch (Self.keyPath(source.property.name), Self.keyPath(target.property.name)) {
    case (let keyPath?, let other?): bind(keyPath, other)
    default: if source.property.name == .real { bind(\.real, \.real) } else { bind(\.tag, \.tag) }
    }
  }

  private func react(_ property: BindingsProperty, _ value: Int, _ other: BindingsProperty, _ new: Int) {
    guard let keyPath = Self.keyPath(property.name), let otherKeyPath = Self.keyPath(other.name) else { return }
    let (pane, changed) = (panes[property.object], panes[other.object])
    let controller = KVOController(observer: changed, retainObserved: false)
    var firings = 0
    controller.observe(pane, keyPath, options: []) { (changed: Pane, pane: Pane, _) in
      guard pane[keyPath: keyPath] == value, firings < 2 else { return }
      firings += 1
      changed[keyPath: otherKeyPath] = new
    }
    reactions.append((property.object, other.object, controller))
  }

  private func replace(_ place: Int) -> String? {
    weak var former: Pane?
    do {
      let pane = panes[place]
      former = pane
      for other in panes where other.child === pane { other.child = nil }
      reactions.removeAll { $0.observed == place || $0.changed == place }
      // A controller that doesn't retain the object needn't be told.
      for (number, other) in panes.enumerated() where number.isMultiple(of: 2) { other.unobserve(pane) }
      panes[place] = Pane(place, tags[0])
    }
    return former == nil ? nil : "the former object is left"
  }

  func unobserveAll() {
    for pane in panes {
      pane.child = nil
      pane.kvoController.unobserveAll()
    }
    reactions = []
  }

  var isUnobserved: Bool { panes.allSatisfy { $0.observationInfo == nil } }
}

extension [String: Int] {
  fileprivate subscript(number name: String) -> Int {
    get { self[name] ?? 0 }
    set { self[name] = newValue }
  }
}
