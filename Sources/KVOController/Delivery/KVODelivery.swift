/// When the handler of an observation is called: for each change, or only when it matters.
///
///     screen.observe(song, \.isPlaying, delivery: .distinct) { screen, song, change in … }
///     screen.observe(chart, [\.points, \.title], options: .initial, delivery: .coalesced) { screen, chart in … }
///
/// With both, the handler is called at most once in a turn, and only for another value.
public struct KVODelivery: OptionSet, Sendable {
  /// A bit for each option.
  public let rawValue: UInt8

  /// Creates a value from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Calls the handler for each change.
  public static let each: Self = []

  /// Calls the handler only for a value that differs from the one delivered last to this observation.
  ///
  /// The first value to compare with is the initial one, with or without the option `.initial`. Objects are compared by
  /// identity, and remembered weakly; collections by what they contain. Insertions, removals, and replacements are always
  /// delivered. A list of key paths is delivered if one of its values differs. After calls that overlap, on several threads,
  /// the next one is made in any case. Traps with `.prior`, and if the type is neither `Equatable`, a class, an existential of
  /// classes such as `AnyObject`, nor a collection of such.
  public static let distinct = Self(rawValue: 1)

  /// Calls the handler once for all changes until the actor's next turn.
  ///
  /// The change is a setting with the newest value; its old value is that of the call before. The initial call is made at
  /// once. Nothing is called after the end of the observation or of the object, which isn't retained by what waits. Traps
  /// with `.prior`, and in code that isn't isolated to an actor.
  public static let coalesced = Self(rawValue: 2)
}
