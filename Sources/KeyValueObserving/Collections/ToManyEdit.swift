#if !canImport(ObjectiveC)
/// What a mutating method of a proxy does to a collection, with objects that are of its element type already.
///
/// The first three are for collections that have an order, the last one for those that have none.
enum ToManyEdit {
  /// Each object goes to the index in the same place, which it has afterwards.
  case insert([Any], at: IndexSet)
  case remove(at: IndexSet)
  case replace(at: IndexSet, with: [Any])
  /// All objects make way for these.
  case assign([Any])
  case exchange(removing: [Any], adding: [Any])
}
#endif
