import KVOController

/// The model: a download that counts the bytes received. It learns the total from the server's first answer.
final class Download: KeyValueObject {
  @Observed var received = 0
  @Observed var total: Int?

  /// The fraction received, from 0 to 1, or nil while the total is unknown.
  var progress: Double? {
    guard let total, total > 0 else { return nil }
    return Double(received) / Double(total)
  }

  // Makes the computed property observable on every platform, and declares what its value depends on.
  override class var keyPaths: [String: AnyKeyPath] { ["progress": \Download.progress] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "progress" ? ["received", "total"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
