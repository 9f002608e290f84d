import KVOController

/// The model: a download that knows how much has come, and from the server's first answer on how much there is.
final class Download: KeyValueObject {
  @Observed var current = 0
  @Observed var total: Int?

  /// The part that has come, from 0 to 1; nil as long as the total isn't known.
  var progress: Double? {
    guard let total, total > 0 else { return nil }
    return Double(current) / Double(total)
  }

  // Makes the computed property observable, and says what its value depends on.
  override class var keyPaths: [String: AnyKeyPath] { ["progress": \Download.progress] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "progress" ? ["current", "total"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
