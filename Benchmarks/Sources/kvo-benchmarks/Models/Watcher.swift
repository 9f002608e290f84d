import KVOController

/// An observer of changes in every form, which counts them.
final class Watcher: KeyValueObject {
  private(set) var calls = 0
  private(set) var sum = 0

  /// A property to bind, which counts assignments.
  var bound = -1 { didSet { take(bound) } }

  @inline(__always)
  func take(_ value: Int) {
    calls &+= 1
    sum &+= value
  }

  func numberDidChange() {
    take(1)
  }

  func numberDidChange(_ change: [NSKeyValueChangeKey: Any]) {
    take(change[.newKey] as? Int ?? 0)
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    take(change?[.newKey] as? Int ?? 0)
  }
}
