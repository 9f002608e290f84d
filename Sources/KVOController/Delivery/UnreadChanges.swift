/// Changes whose new values are being read, each by the thread that makes it, in the order in which they came.
///
/// Several threads may read at the same time, and the last of them need not have the newest value. So the first one that is
/// ready makes the values of the others outdated. It takes along all changes that came before it began to read, because its
/// value is as new as theirs. Those that came later are read again. The first one that is ready then began to read after
/// all of them came. So a value is read at most twice, no matter how many threads there are, and no thread waits.
struct UnreadChanges<Element> {
  struct Entry {
    let number: UInt
    /// The observation that is notified of the change.
    fileprivate let observation: ObjectIdentifier
    var element: Element
    let priority: TaskPriority
    /// Whether it is the initial notification, which isn't needed if a change is delivered with a value as new.
    fileprivate let isInitial: Bool
    /// The latest change that had come when the value began to be read.
    fileprivate var latest: UInt
    fileprivate var isOutdated = false
  }

  enum Result {
    /// Another change was taken meanwhile, whose value may be newer.
    case outdated
    /// The thread of another change has taken it along.
    case takenAlong
    /// These changes have the value that was read.
    case read([Entry])
  }

  private var entries: [Entry] = []
  private var latest: UInt = 0

  /// Adds a change whose value is about to be read.
  ///
  /// - Returns: Its number.
  mutating func add(
    _ element: Element, of observation: ObjectIdentifier, _ priority: TaskPriority, isInitial: Bool
  ) -> UInt {
    latest += 1
    entries.append(
      Entry(
        number: latest, observation: observation, element: element, priority: priority, isInitial: isInitial,
        latest: latest))
    return latest
  }

  /// Takes the change whose value was read, and all that share it, in order. If it is outdated, its value is about to be read
  /// again.
  mutating func take(_ number: UInt) -> Result {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return .takenAlong }
    guard !entries[index].isOutdated else {
      entries[index].isOutdated = false
      entries[index].latest = latest
      return .outdated
    }
    let (observation, last) = (entries[index].observation, entries[index].latest)
    var read: [Entry] = []
    entries.removeAll { entry in
      guard entry.observation == observation, entry.number <= last else { return false }
      // An initial notification that was overtaken isn't released here, because its thread retains what it refers to.
      if !entry.isInitial || entry.number == number { read.append(entry) }
      return true
    }
    outdate(observation)
    return .read(read)
  }

  /// Removes a change that isn't delivered.
  ///
  /// - Returns: What is to be released outside the lock.
  mutating func remove(_ number: UInt) -> Element? {
    entries.firstIndex { $0.number == number }.map { entries.remove(at: $0).element }
  }

  /// Makes the values that are being read for an observation outdated, because a change with another one was taken.
  mutating func outdate(_ observation: ObjectIdentifier) {
    for index in entries.indices where entries[index].observation == observation { entries[index].isOutdated = true }
  }

  func contains(_ observation: ObjectIdentifier) -> Bool { entries.contains { $0.observation == observation } }
}
