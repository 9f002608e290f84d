#if !canImport(ObjectiveC)
extension KeyValueChange {
  /// The change dictionary that observers receive: a snapshot that never changes.
  package var dictionary: [NSKeyValueChangeKey: Any] {
    #if DEBUG
    DictionaryCount.add()
    #endif
    // Leaves room for the controller's key path.
    var dictionary = [NSKeyValueChangeKey: Any](minimumCapacity: 5)
    dictionary.updateValue(kindNumber, forKey: .kindKey)
    if let new = new.object { dictionary.updateValue(new, forKey: .newKey) }
    if let old = old.object { dictionary.updateValue(old, forKey: .oldKey) }
    if let indexes { dictionary.updateValue(indexes, forKey: .indexesKey) }
    if isPrior { dictionary.updateValue(NSNumber(value: true), forKey: .notificationIsPriorKey) }
    return dictionary
  }

  /// The number of the kind. There are several copies of each, so that threads that change different objects don't
  /// contend for one reference count.
  private var kindNumber: NSNumber {
    Self.numbers[Int(kind.rawValue)][Int(bitPattern: lentObject.toOpaque()) >> 5 & 15]
  }

  private static let numbers = (0...4 as ClosedRange<UInt>).map { kind in (0..<16).map { _ in NSNumber(value: kind) } }
}
#endif
