/// The comparison that the result of a case has to pass.
struct Comparison {
  enum Limit {
    /// At most so many times the other.
    case ratio(Double)
    /// At most so much more than the other.
    case excess(Double)
    /// At most this value, regardless of other cases.
    case value(Double)
    /// The other takes at least so many times as long.
    case speedup(Double)
  }

  /// The name of another case of the group; nil for a limit that stands alone.
  let other: String?
  let limit: Limit?

  static func beside(_ other: String, atMost ratio: Double? = nil) -> Self {
    Self(other: other, limit: ratio.map(Limit.ratio))
  }

  static func beside(_ other: String, atMostMore excess: Double) -> Self {
    Self(other: other, limit: .excess(excess))
  }

  static func beside(_ other: String, fasterBy speedup: Double?) -> Self {
    Self(other: other, limit: speedup.map(Limit.speedup))
  }

  static func atMost(_ value: Double) -> Self {
    Self(other: nil, limit: .value(value))
  }

  /// Whether a result keeps to the limit; nil if there is none.
  func isMet(by value: Double, other: Double?) -> Bool? {
    switch (limit, other) {
    case (.value(let limit), _): value <= limit
    case (.ratio(let limit), let other?): value <= limit * other
    case (.excess(let limit), let other?): value - other <= limit
    case (.speedup(let limit), let other?): value * limit <= other
    case (nil, _), (_, nil): nil
    }
  }
}
