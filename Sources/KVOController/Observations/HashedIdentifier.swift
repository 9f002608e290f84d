/// What tells several observations of one key path apart, with its hash, which is found outside of all locks, for it may
/// be foreign code.
final class KVOIdentifier: @unchecked Sendable {
  // Never changes; what it wraps answers for itself, as in any dictionary.
  let value: AnyHashable
  let hash: Int

  init(_ value: AnyHashable) {
    self.value = value
    hash = value.hashValue
  }
}
