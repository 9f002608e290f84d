extension KeyValueObject {
  /// Runs `body`, which makes `mutation` of the value for `key`, between the two calls that notify of it manually.
  ///
  /// On Apple platforms the package makes its own changes this way, because Foundation knows of no other.
  ///
  /// - Parameter suppressing: Whether `body` runs a setter of the key that may notify too. It doesn't notify meanwhile.
  package final func notifyManually(
    of mutation: Mutation, forKey key: String, suppressing: Bool, _ body: () -> Void
  ) {
    switch mutation {
    case .setting, .ordered(.setting, _): willChangeValue(forKey: key)
    case .ordered(let kind, let indexes): willChange(kind, valuesAt: indexes, forKey: key)
    case .unordered(let kind, let objects): willChangeValue(forKey: key, withSetMutation: kind, using: objects)
    }
    if suppressing { CoveredKeys.with(key, of: self, body) } else { body() }
    switch mutation {
    case .setting, .ordered(.setting, _): didChangeValue(forKey: key)
    case .ordered(let kind, let indexes): didChange(kind, valuesAt: indexes, forKey: key)
    case .unordered(let kind, let objects): didChangeValue(forKey: key, withSetMutation: kind, using: objects)
    }
  }
}
