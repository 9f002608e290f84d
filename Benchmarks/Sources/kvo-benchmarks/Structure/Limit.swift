/// Something that must not get worse and that doesn't depend on the machine or on what else it does.
struct Limit {
  enum Quantity {
    case allocations, bytes, instructions
  }

  let quantity: Quantity
  /// "group/name" of a case.
  let subject: String
  let most: Double
  /// "group/name" of the case against which `subject` is held; nil for a limit that stands alone.
  let other: String?

  var names: [String] { [subject, other].compactMap { $0 } }

  /// At most so many allocations an operation.
  static func allocations(_ subject: String, _ most: Double) -> Limit {
    Limit(quantity: .allocations, subject: subject, most: most, other: nil)
  }

  /// At most so many bytes, or so many more than another.
  static func bytes(_ subject: String, _ most: Double, over other: String? = nil) -> Limit {
    Limit(quantity: .bytes, subject: subject, most: most, other: other)
  }

  /// At most so many times the instructions of another.
  static func instructions(_ subject: String, _ most: Double, times other: String) -> Limit {
    Limit(quantity: .instructions, subject: subject, most: most, other: other)
  }

  /// The value that is compared with ``most``.
  func value(_ measured: (_ name: String) -> Double?) -> Double? {
    guard let value = measured(subject) else { return nil }
    guard let other else { return value }
    guard let base = measured(other) else { return nil }
    return quantity == .bytes ? value - base : value / base
  }

  /// Allocations that happen once in a while, such as a table's growth, are none of an operation.
  func isExceeded(by value: Double) -> Bool {
    value > most + (quantity == .allocations ? 0.05 : 0)
  }
}

extension Limit: CustomStringConvertible {
  var description: String {
    switch (quantity, other) {
    case (.allocations, _): "allocations of \(subject)"
    case (.bytes, let other?): "bytes of \(subject) over \(other)"
    case (.bytes, nil): "bytes of \(subject)"
    case (.instructions, let other): "instructions of \(subject) by those of \(other ?? "")"
    }
  }
}
