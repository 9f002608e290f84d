import KVOController

/// The usual observed object.
final class Model: KeyValueObject {
  @Observed var number = 0
}

/// One with an array.
final class ListModel: KeyValueObject {
  @Observed var items: [Int] = []
}

/// One on a key path.
final class Node: KeyValueObject {
  @Observed var next: Node?
  @Observed var number = 0
}
