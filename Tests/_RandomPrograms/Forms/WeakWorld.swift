import KVOController

/// The same operations with real objects.
final class WeakWorld {
  final class Tag: KeyValueObject {
    @Observed var count = 0
    @ObservedWeak var next: Tag?
    let number: Int

    init(_ number: Int) { self.number = number }
  }

  private(set) var tags = (0..<WeakOperation.tags).map(Tag.init)
  private var created = WeakOperation.tags

  func run(_ operation: WeakOperation, _ goods: [FormsWorld.Good], _ screens: [FormsWorld.Screen]) {
    switch operation {
    case .setTag(let good, let slot, let way): set(slot.map { tags[$0] }, of: goods[good], way)
    case .setNext(let slot, let other): tags[slot].next = other.map { tags[$0] }
    case .setCount(let slot, let count): tags[slot].count = count
    case .replace(let slot):
      tags[slot] = Tag(created)
      created += 1
    case .observe(let observer, let good, let path): observe(goods[good], path, screens[observer])
    case .observeTag(let observer, let slot):
      let screen = screens[observer]
      screen.kvoControllerNonRetaining.observe(tags[slot], \.count, identifier: 0) {
        (screen: FormsWorld.Screen, tag, change) in
        screen.calls.append("\(screen.number) tag \(tag.number): \(change.newValue ?? -1)")
      }
    }
  }

  private func set(_ tag: Tag?, of good: FormsWorld.Good, _ way: WeakOperation.Way) {
    func replace(_ old: inout Tag?) { old = tag }
    switch way {
    case .setter: good.tag = tag
    case .coding: good.setValue(tag, forKey: "tag")
    case .inPlace: replace(&good.tag)
    }
  }

  private func observe(_ good: FormsWorld.Good, _ path: WeakOperation.Path, _ screen: FormsWorld.Screen) {
    func note(_ screen: FormsWorld.Screen, _ good: FormsWorld.Good, _ old: Int??, _ new: Int??) {
      func text(_ value: Int??) -> String { value.map { $0.map(String.init) ?? "nil" } ?? "missing" }
      screen.calls.append("\(screen.number) \(path) of \(good.number): \(text(old)) to \(text(new))")
    }
    switch path {
    case .tag:
      screen.observe(good, \.tag, identifier: 0) {
        note($0, $1, $2.oldValue.map { $0?.number }, $2.newValue.map { $0?.number })
      }
    case .count: screen.observe(good, \.tag?.count, identifier: 0) { note($0, $1, $2.oldValue, $2.newValue) }
    case .nextCount: screen.observe(good, \.tag?.next?.count, identifier: 0) { note($0, $1, $2.oldValue, $2.newValue) }
    case .named:
      screen.kvoController.observe(good, keyPath: "tag.count", options: [.old, .new], identifier: "named") {
        note(
          $0 as! FormsWorld.Screen, $1 as! FormsWorld.Good, $2[.oldKey].map { $0 as? Int },
          $2[.newKey].map { $0 as? Int })
      }
    }
  }
}
