import KVOController

/// Something that an optional value is, however deep it is hidden.
private protocol AnyOptional {
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var wrapped: Any? { map { $0 as Any } }
}

extension Value {
  /// A value of a change dictionary, which never is an Optional.
  init(_ value: Any) {
    if value is any AnyOptional {
      self = .strange("Optional \(value)")
      return
    }
    switch value {
    case let number as Int: self = .int(number)
    case let text as String: self = .text(text)
    case let node as RealNode: self = .object(node.id)
    case is NSNull: self = .null
    case let boxes as [RealNode.Box]: self = .list(boxes.map { .object($0.node.id) })
    case let values as NSOrderedSet: self = .ordered(values.map { Value($0) })
    case let values as [Any]: self = .list(values.map { Value($0) })
    case let values as NSArray: self = .list(values.map { Value($0) })
    case let values as Set<AnyHashable>: self = .set(Set(values.map { Value($0.base) }))
    case let values as NSSet: self = .set(Set(values.map { Value($0) }))
    default: self = .strange("\(type(of: value)) \(value)")
    }
  }

  /// A value that may be an Optional.
  init(unwrapping value: Any) {
    guard let optional = value as? any AnyOptional else {
      self.init(value)
      return
    }
    if let wrapped = optional.wrapped { self.init(unwrapping: wrapped) } else { self = .null }
  }
}

extension Event {
  init(observer: Int, context: Int, root: Int, keyPath: String, change: [NSKeyValueChangeKey: Any]) {
    self.init(observer: observer, context: context, root: root, keyPath: keyPath, kind: 0)
    for (key, value) in change {
      switch key {
      case .kindKey: kind = value as? UInt ?? 0
      case .newKey: new = Value(value)
      case .oldKey: old = Value(value)
      case .notificationIsPriorKey where value as? Bool == true: isPrior = true
      case .indexesKey where value is IndexSet: indexes = (value as? IndexSet).map { Array($0) }
      default: others.append("\(key.rawValue): \(value)")
      }
    }
  }

  init<Typed>(observer: Int, context: Int, root: Int, change: KVOChange<Typed>) {
    self.init(
      observer: observer, context: context, root: root, keyPath: change.keyPath, kind: change.kind.rawValue,
      isPrior: change.isPrior, new: change.newValue.map { Value(unwrapping: $0) },
      old: change.oldValue.map { Value(unwrapping: $0) }, indexes: change.indexes.map { Array($0) })
  }

  init<Typed>(context: Int, root: Int, keyPath: String, change: NSKeyValueObservedChange<Typed>) {
    self.init(
      observer: 0, context: context, root: root, keyPath: keyPath, kind: change.kind.rawValue, isPrior: change.isPrior,
      new: change.newValue.map { Value(unwrapping: $0) }, old: change.oldValue.map { Value(unwrapping: $0) },
      indexes: change.indexes.map { Array($0) })
    if foundationRegisters { forgetNulls() }
  }

  /// In Foundation's typed changes, nil and a value that wasn't requested are the same.
  mutating func forgetNulls() {
    if new == .null { new = nil }
    if old == .null { old = nil }
  }
}
