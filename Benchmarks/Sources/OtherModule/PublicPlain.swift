/// An object with a public property that can't be observed, which another module uses.
public final class PublicPlain {
  /// The property.
  public var number = 0

  /// Creates an object.
  public init() {}
}
