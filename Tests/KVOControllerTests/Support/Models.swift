import KVOController
import _KVOTestSupport

/// An observed model, with plain keys, a dependent key, a key with its own getter, and objects for paths.
class Circle: RegisteredObject, @unchecked Sendable {
  @Observed var radius = 0
  @Observed var borderWidth = 0
  @Observed var center: Point?
  /// An unretained object on a path. Only KVC notifies of it.
  weak var anchor: Point?
  var diameter: Int { 2 * radius }
  /// Runs whenever `area` is read.
  var whenAreaIsRead: (() -> Void)?
  /// Runs at the end of this object.
  var whenReleased: ((Circle) -> Void)?
  /// Counts this object, if objects are counted.
  var resident: Resident?
  let number: Int

  init(_ number: Int = 0, resident: Resident? = nil) {
    self.number = number
    self.resident = resident
  }

  deinit {
    whenReleased?(self)
  }

  var area: Int {
    whenAreaIsRead?()
    return 3 * radius * radius
  }

  override class var keyPaths: [String: AnyKeyPath] {
    ["anchor": \Circle.anchor, "diameter": \Circle.diameter, "area": \Circle.area]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ["diameter", "area"].contains(key) ? ["radius"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}

/// An object on a path.
final class Point: KeyValueObject, @unchecked Sendable {
  @Observed var x = 0

  init(x: Int = 0) {
    self.x = x
  }
}

/// An observer that can be observed.
class ObservedRecorder: Recorder, @unchecked Sendable {
  @Observed var mood = 0
  @Observed var circle: Circle?
}

/// All of these are equal.
final class Twin: Circle, @unchecked Sendable {
  override func isEqual(_ object: Any?) -> Bool { object is Twin }
  override var hash: Int { 1 }
}
