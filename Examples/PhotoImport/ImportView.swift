import KVOController

/// Shows an import. The view belongs to the main actor, and so do its handlers and loops, wherever the import runs.
@MainActor
final class ImportView: KeyValueObject {
  private(set) var calls = 0

  /// Counts the photos with a handler.
  func count(_ photoImport: PhotoImport) {
    // The handler is registered on the main actor, so it runs there: no `DispatchQueue.main.async`.
    observe(photoImport, \.copied) { view, _, _ in
      view.calls += 1
    }
  }

  /// Prints a line for each photo, up to the last one.
  ///
  /// - Parameter values: A sequence that keeps every value until it is read.
  func show(_ values: AsyncStream<Int>, of total: Int) async {
    for await copied in values {
      print("copied \(copied) of \(total)")
      if copied == total { break }  // Leaving the loop ends the observation.
    }
  }
}
