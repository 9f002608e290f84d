import KVOController

/// Draws the progress of a download: as a live bar on a terminal, otherwise as one line per step.
final class ProgressBar: KeyValueObject {
  private let output: Output

  init(of download: Download, on output: Output) {
    self.output = output
    super.init()

    // Called now, and whenever `received` or `total` changes. The bar is an argument, so the closure captures nothing.
    observe(download, \.progress, options: [.initial, .new]) { bar, download, change in
      bar.draw(change.newValue ?? nil, of: download.total)
    }
  }

  private func draw(_ progress: Double?, of total: Int?) {
    guard let progress, let total else {
      output.show("Waiting for the server")
      return
    }
    let megabytes = total / 1_000_000
    let percent = String(Int(progress * 100))
    let text = String(repeating: " ", count: 4 - percent.count) + "\(percent)% of \(megabytes) MB"
    let width = output.columns - text.count
    guard width >= 10 else {
      output.show(text)
      return
    }
    let filled = Int(progress * Double(width))
    output.show(String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled) + text)
  }
}
