/// A table of observations, by the numbers that represent them in context pointers.
///
/// A number is never reused, so looking up that of an observation that has ended returns nil. The table is split into
/// shards, each with its own lock, so that notifications of different observations rarely wait for each other.
///
/// - Complexity: Constant time for all operations.
package struct ContextRegistry<Observation: AnyObject>: Sendable {
  package init() {}

  private let shards = (0..<(1 << Number.shardBits)).map { _ in Shard() }

  /// Adds the observation.
  ///
  /// - Returns: The number that represents it until it is removed.
  package func insert(_ info: Observation) -> UInt {
    let address = UInt(bitPattern: ObjectIdentifier(info))
    let shard = Int((address >> 5 ^ address >> 11) & UInt(shards.count - 1))
    return shards[shard].insert(info, shard)
  }

  /// The observation that the number represents; nil if it was removed.
  package func info(_ context: UInt) -> Observation? {
    shards[Number(context).shard].info(Number(context))
  }

  /// Removes the observation, if it is there.
  ///
  /// - Returns: The observation, which the caller releases, because that may run foreign code.
  @discardableResult
  package func remove(_ context: UInt) -> Observation? {
    shards[Number(context).shard].remove(Number(context))
  }
}

extension ContextRegistry {
  /// A table with its own lock.
  private final class Shard: Sendable {
    private struct Place {
      var info: Observation?
      var use: UInt
    }

    private struct Table {
      var places: [Place] = []
      var freePlaces: [Int] = []

      func contains(_ number: Number) -> Bool {
        number.place < places.count && places[number.place].use == number.use && places[number.place].info != nil
      }
    }

    private let table = LockedState(Table())

    func insert(_ info: Observation, _ shard: Int) -> UInt {
      table.withLock { table in
        let place = table.freePlaces.popLast() ?? table.places.count
        if place == table.places.count { table.places.append(Place(info: nil, use: 0)) }
        table.places[place].info = info
        table.places[place].use += 1
        return Number(shard: shard, place: place, use: table.places[place].use).bits
      }
    }

    func info(_ number: Number) -> Observation? {
      table.withLock { $0.contains(number) ? $0.places[number.place].info : nil }
    }

    func remove(_ number: Number) -> Observation? {
      table.withLock { table in
        guard table.contains(number) else { return nil }
        // A place that has run out of numbers isn't used again.
        if number.use < Number.lastUse { table.freePlaces.append(number.place) }
        defer { table.places[number.place].info = nil }
        return table.places[number.place].info
      }
    }
  }
}

/// The place of an observation, and how often the place was used: together, a unique number.
private struct Number {
  static let shardBits = 6
  /// Half of the remaining bits number the places; the others count the uses of each.
  private static let placeBits = (UInt.bitWidth - shardBits) / 2

  let shard: Int
  let place: Int
  let use: UInt

  init(shard: Int, place: Int, use: UInt) {
    self.shard = shard
    self.place = place
    self.use = use
  }

  init(_ bits: UInt) {
    shard = Int(bits & (1 << Self.shardBits - 1))
    place = Int((bits >> Self.shardBits) & (1 << Self.placeBits - 1))
    use = bits >> (Self.shardBits + Self.placeBits)
  }

  var bits: UInt {
    use << (Self.shardBits + Self.placeBits) | UInt(place) << Self.shardBits | UInt(shard)
  }

  /// The last use of a place.
  static var lastUse: UInt { UInt.max >> (shardBits + placeBits) }
}
