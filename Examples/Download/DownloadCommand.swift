import Foundation

/// The program: receives a download in pieces. It doesn't know who shows it.
@main
struct DownloadCommand {
  private static let size = 48_000_000

  static func main() {
    do {
      let options = try Options(ProcessInfo.processInfo.arguments.dropFirst())
      if options.showsHelp {
        print(Options.help)
      } else {
        run(options)
      }
    } catch {
      FileHandle.standardError.write(Data("Download: \(error); see --help\n".utf8))
      exit(2)
    }
  }

  private static func run(_ options: Options) {
    let output = Output()
    let download = Download()
    let bar = ProgressBar(of: download, on: output)

    download.total = size
    for step in 1...options.steps {
      Thread.sleep(forTimeInterval: options.interval)
      download.received = size * step / options.steps
    }
    output.end()
    withExtendedLifetime(bar) {}  // Without a reference to it, the bar and its observation would be gone.
  }
}
