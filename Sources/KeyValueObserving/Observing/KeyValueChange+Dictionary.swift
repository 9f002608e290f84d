#if !canImport(ObjectiveC)
extension KeyValueChange {
  /// The change as Foundation's observers get it: a snapshot that never changes later.
  package var dictionary: [NSKeyValueChangeKey: Any] {
    #if DEBUG
    DictionaryCount.add()
    #endif
    var dictionary = [NSKeyValueChangeKey: Any](minimumCapacity: 4)
    dictionary[.kindKey] = Self.numbers[Int(kind.rawValue)]
    if let new = new.object { dictionary[.newKey] = new }
    if let old = old.object { dictionary[.oldKey] = old }
    if let indexes { dictionary[.indexesKey] = indexes }
    if isPrior { dictionary[.notificationIsPriorKey] = NSNumber(value: true) }
    return dictionary
  }

  private static let numbers = (0...4).map { NSNumber(value: UInt($0)) }
}
#endif
