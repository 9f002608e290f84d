extension KeyValueChange {
  /// The change dictionary that observers receive: a snapshot that never changes.
  var dictionary: [NSKeyValueChangeKey: Any] { dictionary(by: .foundation) }

  func dictionary(by templates: ChangeTemplates) -> [NSKeyValueChangeKey: Any] {
    let template = templates.template(
      hasOld: old.isRequested, hasNew: new.isRequested, hasIndexes: indexes != nil, isPrior: attributes.isPrior)
    return template.mapValues { entry in
      switch entry {
      case .kind: kindNumber
      case .old: old.object
      case .new: new.object
      case .indexes: indexes ?? IndexSet()
      case .isPrior: NSNumber(value: true)
      case .keyPath: keyPath
      }
    }
  }

  private var kindNumber: NSNumber { Self.numbers[Int(attributes.kind.rawValue)] }

  private static let numbers = (0...4 as ClosedRange<UInt>).map { NSNumber(value: $0) }
}

/// The keys of change dictionaries, for each combination of entries that a change can have.
///
/// Mapping the values of an existing dictionary reuses the layout of its table. It takes less than half the time of
/// inserting the entries one by one.
struct ChangeTemplates: Sendable {
  fileprivate enum Entry {
    case kind, old, new, indexes, isPrior, keyPath
  }

  private typealias Template = [NSKeyValueChangeKey: Entry]

  /// The templates, indexed by a bit for each entry that is optional.
  private let templates: [Template]

  static let foundation = ChangeTemplates(keyPathKey: nil)

  /// - Parameter keyPathKey: The key of the key path; nil if the dictionaries don't contain it.
  init(keyPathKey: NSKeyValueChangeKey?) {
    func template(_ bits: Int) -> Template {
      var template: Template = [.kindKey: .kind]
      if bits & 1 != 0 { template[.oldKey] = .old }
      if bits & 2 != 0 { template[.newKey] = .new }
      if bits & 4 != 0 { template[.indexesKey] = .indexes }
      if bits & 8 != 0 { template[.notificationIsPriorKey] = .isPrior }
      if let keyPathKey { template[keyPathKey] = .keyPath }
      return template
    }
    templates = (0..<16).map(template)
  }

  fileprivate func template(
    hasOld: Bool, hasNew: Bool, hasIndexes: Bool, isPrior: Bool
  ) -> [NSKeyValueChangeKey: Entry] {
    templates[(hasOld ? 1 : 0) | (hasNew ? 2 : 0) | (hasIndexes ? 4 : 0) | (isPrior ? 8 : 0)]
  }
}

extension KeyValueChange {
  private static let templates = ChangeTemplates(keyPathKey: .keyPathKey)

  /// The change dictionary, with the key path, for handlers of several key paths.
  var dictionaryWithKeyPath: [NSKeyValueChangeKey: Any] { dictionary(by: Self.templates) }
}
