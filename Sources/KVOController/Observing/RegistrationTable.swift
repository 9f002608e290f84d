/// Registrations with one object, in no particular order.
///
/// - Complexity: Amortized constant time to insert and remove one.
struct RegistrationTable {
  private(set) var all: [Observance] = []

  mutating func insert(_ observance: Observance) {
    observance.tracker?.registrationIndex = all.count
    all.append(observance)
  }

  /// - Returns: The observance, which the caller releases after the lock; nil if it isn't there.
  mutating func remove(_ observance: Observance) -> Observance? {
    guard let index = observance.tracker?.registrationIndex, index < all.count, all[index] === observance else {
      return nil
    }
    all.swapAt(index, all.count - 1)
    all[index].tracker?.registrationIndex = index
    return all.removeLast()
  }
}
