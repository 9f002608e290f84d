/// An edit of a collection by a proxy, with objects that are already of its element type.
///
/// The first three are for ordered collections, the last one is for sets.
enum CollectionEdit {
  /// Inserts each object at the corresponding index, which is its index after the edit.
  case insert([Any], at: IndexSet)
  case remove(at: IndexSet)
  case replace(at: IndexSet, with: [Any])
  /// Replaces all objects.
  case assign([Any])
  case exchange(removing: [Any], adding: [Any])

  /// The first index that is out of range for a collection of `count` objects; nil if none is.
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
