import KVOController

/// The model: an import of photos, which runs on a background thread.
///
/// It is `@unchecked Sendable` because the main actor holds it too. That is safe because only `run` writes `copied`,
/// which isn't read elsewhere meanwhile: observers receive its values.
final class PhotoImport: KeyValueObject, @unchecked Sendable {
  @Observed private(set) var copied = 0
  let total: Int

  init(total: Int) {
    self.total = total
  }

  /// Copies the photos. It doesn't know who observes it, or on which actor.
  func run() {
    for _ in 0..<total {
      Thread.sleep(forTimeInterval: 0.01)  // Stands for the work.
      copied += 1
    }
  }
}
