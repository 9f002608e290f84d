extension KeyValueChange {
  /// The change dictionary that observers receive: a snapshot that never changes.
  var dictionary: [NSKeyValueChangeKey: Any] { dictionary(by: ChangeTemplates.foundation) }

  /// The change dictionary, with the key path, for handlers of several key paths.
  var dictionaryWithKeyPath: [NSKeyValueChangeKey: Any] { dictionary(by: ChangeTemplates.withKeyPath) }

  private func dictionary(by templates: [ChangeTemplates.Template]) -> [NSKeyValueChangeKey: Any] {
    let indexes = indexes
    let bits =
      (old.isRequested ? 1 : 0) | (new.isRequested ? 2 : 0) | (indexes != nil ? 4 : 0) | (attributes.isPrior ? 8 : 0)
    return templates[bits].mapValues { entry in
      switch entry {
      case .kind: ChangeTemplates.kinds[Int(attributes.kind.rawValue)]
      case .old: old.object
      case .new: new.object
      case .indexes: indexes ?? IndexSet()
      case .isPrior: NSNumber(value: true)
      case .keyPath: keyPath
      }
    }
  }
}

/// The keys of change dictionaries, for each combination of entries that a change can have.
///
/// Mapping the values of an existing dictionary reuses the layout of its table. It takes less than half the time of
/// inserting the entries one by one.
private enum ChangeTemplates {
  enum Entry {
    case kind, old, new, indexes, isPrior, keyPath
  }

  typealias Template = [NSKeyValueChangeKey: Entry]

  static let foundation = templates([.kindKey: .kind])
  static let withKeyPath = templates([.kindKey: .kind, .keyPathKey: .keyPath])
  static let kinds = (0...4 as ClosedRange<UInt>).map { NSNumber(value: $0) }

  /// The templates, indexed by a bit for each entry that is optional.
  ///
  /// - Parameter always: The entries that aren't.
  private static func templates(_ always: Template) -> [Template] {
    (0..<16).map { bits in
      var template = always
      if bits & 1 != 0 { template[.oldKey] = .old }
      if bits & 2 != 0 { template[.newKey] = .new }
      if bits & 4 != 0 { template[.indexesKey] = .indexes }
      if bits & 8 != 0 { template[.notificationIsPriorKey] = .isPrior }
      return template
    }
  }
}
