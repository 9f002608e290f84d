#if !canImport(ObjectiveC)
/// How many links of a table need what, so that a change does nothing that none of them needs.
struct LinkDemand {
  private(set) var links: Int32 = 0
  private(set) var old: Int32 = 0
  private(set) var new: Int32 = 0
  private(set) var prior: Int32 = 0
  /// Those whose path leads on through the key.
  private(set) var routes: Int32 = 0
  /// Those that see another value than the key's own.
  private(set) var others: Int32 = 0
  /// Those that see the key's own value as long as their path leads to it.
  private(set) var passing: Int32 = 0

  /// Whether any of them sees the key's own value.
  var isForKey: Bool { links > others }

  /// Whether a change of the key is nothing but a call for each link, with the key's own values.
  var isPlain: Bool { prior == 0 && routes == 0 && others == 0 }

  /// Counts a link in, with 1, or out, with -1; an emptied place counts as nothing.
  mutating func count(_ link: Link, _ difference: Int32) {
    guard let observance = link.observance else { return }
    links += difference
    if observance.options.contains(.old) { old += difference }
    if observance.options.contains(.new) { new += difference }
    if observance.options.contains(.prior) { prior += difference }
    if link.role.contains(.route) { routes += difference }
    if !link.seesKey {
      others += difference
    } else if observance.hasRoute {
      passing += difference
    }
  }
}
#endif
