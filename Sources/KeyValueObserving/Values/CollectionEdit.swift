/// What a mutating method of a proxy does to a collection, with objects that are of its element type already.
///
/// The first three are for collections that have an order, the last one for those that have none.
enum CollectionEdit {
  /// Each object goes to the index in the same place, which it has afterwards.
  case insert([Any], at: IndexSet)
  case remove(at: IndexSet)
  case replace(at: IndexSet, with: [Any])
  /// All objects make way for these.
  case assign([Any])
  case exchange(removing: [Any], adding: [Any])

  /// The first index that isn't in a collection of `count` objects, or to which none can be inserted; nil if all are.
  func index(beyond count: Int) -> Int? {
    switch self {
    case .insert(_, let indexes):
      var end = count
      for range in indexes.rangeView {
        if range.lowerBound > end { return range.lowerBound }
        end += range.count
      }
      return nil
    case .remove(let indexes), .replace(let indexes, _):
      return indexes.last.flatMap { $0 < count ? nil : $0 }
    case .assign, .exchange:
      return nil
    }
  }
}
