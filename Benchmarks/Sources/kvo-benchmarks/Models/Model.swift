import KVOController

/// The usual observed object.
final class Model: KeyValueObject {
  @Observed var number = 0
}

/// One with an array.
final class ListModel: KeyValueObject {
  @Observed var items: [Int] = []
}
