#if !canImport(ObjectiveC)
/// A set of addresses that is faster than `Set`, because it isn't protected against deliberate collisions.
struct AddressSet {
  private var slots: [UInt] = Array(repeating: 0, count: 16)
  private var count = 0

  /// - Returns: Whether the address is new.
  mutating func insert(_ address: UnsafeRawPointer) -> Bool {
    if count * 2 >= slots.count { grow() }
    return Self.insert(UInt(bitPattern: address), &slots, &count)
  }

  private static func insert(_ address: UInt, _ slots: inout [UInt], _ count: inout Int) -> Bool {
    slots.withUnsafeMutableBufferPointer { slots in
      let mask = slots.count - 1
      var index = Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
      while slots[index] != 0 {
        if slots[index] == address { return false }
        index = (index + 1) & mask
      }
      slots[index] = address
      count += 1
      return true
    }
  }

  private mutating func grow() {
    let former = slots
    slots = Array(repeating: 0, count: former.count * 2)
    count = 0
    for address in former where address != 0 { _ = Self.insert(address, &slots, &count) }
  }
}
#endif
