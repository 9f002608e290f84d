import KVOController

/// Draws the progress of a download: as a bar on a terminal, else a line for each step.
final class ProgressBar: KeyValueObject {
  private static let width = 40
  private let output: Output

  init(of download: Download, on output: Output) {
    self.output = output
    super.init()

    // Called now, and whenever `current` or `total` changes. The bar is an argument: nothing is captured.
    kvoController.observe(download, \.progress, options: [.initial, .new]) { (bar: ProgressBar, download, _) in
      bar.draw(download)
    }
  }

  private func draw(_ download: Download) {
    guard let progress = download.progress, let total = download.total else {
      output.show("waiting for the server")
      return
    }
    let filled = Int(progress * Double(Self.width))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    output.show("\(bar) \(Int(progress * 100)) % of \(total / 1000) kB")
  }
}
