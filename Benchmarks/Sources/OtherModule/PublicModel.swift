import KVOController

/// A model with a public property, which another module uses.
public final class PublicModel: KeyValueObject {
  /// The property.
  @Observed public var number = 0
}
