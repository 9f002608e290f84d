#if !canImport(ObjectiveC)
/// The links of one key of one object, in the order of registration.
///
/// - Complexity: Appending, which is what a registration does, takes constant time; removing takes logarithmic time to
///   find the link, and amortised constant time to take it out: its place is left empty until most of them are.
struct LinkTable {
  /// The key, which lives as long as the process; nil as long as there never was a link.
  private var lentKey: Unmanaged<Key>?
  /// The field of the key's property, if a change of that is all that its observers see.
  private(set) var plainField: Unmanaged<ObservedField>?
  /// The links, and the places of those taken out.
  private(set) var places: [Link] = []
  private(set) var demand = LinkDemand()

  var isEmpty: Bool { demand.links == 0 }

  /// Whether a change of the key is nothing but a call for each link, with the values of the key's property.
  var isPlain: Bool { demand.isPlain && plainField != nil }

  /// The key; nil if there are no links.
  var key: Key? { isEmpty ? nil : lentKey?.takeUnretainedValue() }

  /// Adds the link of the key, which is the same for all, or gives its role to the one that is there for the same
  /// observance.
  mutating func insert(_ link: Link, _ key: Key) {
    if lentKey == nil {
      lentKey = .passUnretained(key)
      plainField = key.isPlain ? key.field.map(Unmanaged.passUnretained) : nil
    }
    guard let last = places.last, last.sequence >= link.sequence else {
      places.append(link)
      demand.count(link, 1)
      return
    }
    let index = firstIndex(from: link.sequence)
    if places[index].sequence == link.sequence {
      demand.count(places[index], -1)
      places[index] = link
    } else {
      places.insert(link, at: index)
    }
    demand.count(link, 1)
  }

  /// Takes out the link of the observance with that sequence.
  ///
  /// - Returns: The observance: the caller releases it, after its lock is given back.
  mutating func remove(_ sequence: UInt64) -> Observance? {
    let index = firstIndex(from: sequence)
    guard index < places.count, places[index].sequence == sequence, let observance = places[index].observance else {
      return nil
    }
    demand.count(places[index], -1)
    places[index].observance = nil
    if isEmpty {
      places.removeAll(keepingCapacity: places.count <= 8)
    } else if places.count > 8, demand.links < places.count / 2 {
      places.removeAll { $0.observance == nil }
    }
    return observance
  }

  private func firstIndex(from sequence: UInt64) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
#endif
