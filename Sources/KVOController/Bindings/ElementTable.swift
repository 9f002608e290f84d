/// The elements of a collection at its last known state, in its order, and what belongs to each of them.
///
/// It compares identities only, so that it runs no foreign code, and can be used under a lock.
struct ElementTable<Member: AnyObject> {
  /// The effect of a change of the collection.
  struct Difference {
    /// Those that belong to elements which aren't in the collection any longer.
    var left: [Member] = []
    /// Those of elements that weren't there before, with their positions.
    var came: [(position: Int, member: Member)] = []
  }

  private var order: [ObjectIdentifier] = []
  private var members: [ObjectIdentifier: (count: Int, member: Member)] = [:]

  init() {}

  var count: Int { order.count }

  /// Adopts another state of the collection.
  ///
  /// - Parameters:
  ///   - new: The identities of its elements.
  ///   - hint: The positions that a notified change has inserted or replaced in `new`, and the number of those that it has
  ///     removed there. It is used if it accounts for the number of elements.
  ///   - makeMember: Returns what is to belong to an element that wasn't there.
  /// - Complexity: Linear in the number of elements, but a comparison of two words for each; with a hint linear in the size
  ///   of the change, but for moving the words that follow it.
  mutating func update(
    to new: UnsafeBufferPointer<ObjectIdentifier>, hint: (range: Range<Int>, removed: Int)? = nil,
    _ makeMember: () -> Member
  ) -> Difference {
    if let (range, removed) = hint, order.count - removed + range.count == new.count, range.upperBound <= new.count,
      range.lowerBound + removed <= order.count
    {
      return replace(range.lowerBound..<(range.lowerBound + removed), with: new, range, makeMember)
    }
    let shorter = min(order.count, new.count)
    var start = 0
    while start < shorter, order[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, order[order.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    return replace(start..<(order.count - end), with: new, start..<(new.count - end), makeMember)
  }

  private mutating func replace(
    _ removed: Range<Int>, with new: UnsafeBufferPointer<ObjectIdentifier>, _ inserted: Range<Int>,
    _ makeMember: () -> Member
  ) -> Difference {
    var difference = Difference()
    // Those that come are counted first, so that what was only moved stays.
    for position in inserted {
      if let known = members[new[position]] {
        members[new[position]] = (known.count + 1, known.member)
      } else {
        let member = makeMember()
        members[new[position]] = (1, member)
        difference.came.append((position, member))
      }
    }
    for element in order[removed] {
      guard let (count, member) = members[element] else { continue }
      if count > 1 {
        members[element] = (count - 1, member)
      } else {
        members[element] = nil
        difference.left.append(member)
      }
    }
    order.replaceSubrange(removed, with: new[inserted])
    return difference
  }
}
