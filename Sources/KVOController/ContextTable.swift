/// Finds observations by the numbers that stand for them in context pointers.
///
/// A number is never used twice, so one that comes late, for an observation that has ended, finds nothing. The table is
/// spread over several locks, so that notifications of different objects don't wait for each other.
struct ContextTable: Sendable {
  private final class Shard: @unchecked Sendable {
    private let lock = UnfairLock()
    private var infos: [UInt: KVOInfo] = [:]
    private var count: UInt = 0

    func insert(_ info: KVOInfo) -> UInt {
      lock.withLock {
        count += 1
        infos[count] = info
        return count
      }
    }

    func info(_ number: UInt) -> KVOInfo? {
      lock.withLock { infos[number] }
    }

    func remove(_ number: UInt) -> KVOInfo? {
      lock.withLock { infos.removeValue(forKey: number) }
    }
  }

  private static let shardBits: UInt = 6
  private let shards = (0..<(1 << shardBits)).map { _ in Shard() }

  /// Adds the observation.
  ///
  /// - Returns: Its number. The lowest bits say where it stands, which depends on the object.
  func insert(_ info: KVOInfo) -> UInt {
    let shard = info.object.hashValue & (shards.count - 1)
    return shards[shard].insert(info) << Self.shardBits | UInt(shard)
  }

  func info(_ context: UInt) -> KVOInfo? {
    shard(context).info(context >> Self.shardBits)
  }

  /// Takes the observation out, if it is there.
  ///
  /// - Returns: The observation, which the caller releases, for that may run foreign code.
  @discardableResult
  func remove(_ context: UInt) -> KVOInfo? {
    shard(context).remove(context >> Self.shardBits)
  }

  private func shard(_ context: UInt) -> Shard {
    shards[Int(context) & (shards.count - 1)]
  }
}
