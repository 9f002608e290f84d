import Foundation

/// The program: keeps one clock ticking and owns the views that observe it.
@main
struct ClockCommand {
  static func main() {
    do {
      let options = try Options(ProcessInfo.processInfo.arguments.dropFirst())
      if options.showsHelp {
        print(Options.help)
      } else {
        run(options)
      }
    } catch {
      FileHandle.standardError.write(Data("Clock: \(error); see --help\n".utf8))
      exit(2)
    }
  }

  private static func run(_ options: Options) {
    let terminal = Terminal()
    defer { terminal.restore() }

    let clock = Clock()
    let screen = Screen(City.all.map(\.name), on: terminal)
    var views: [ClockView?] = City.all.enumerated().map { row, city in
      ClockView(city, of: clock, inRow: row, on: screen)
    }

    /// Releases a view. Nothing else is needed: its observation ends with it, and the other views go on.
    func release(_ row: Int) {
      views[row] = nil
      screen.release(row)
    }

    /// Releases a view, or creates it again.
    func toggle(_ row: Int) {
      if views[row] != nil {
        release(row)
      } else {
        views[row] = ClockView(City.all[row], of: clock, inRow: row, on: screen)
      }
    }

    for tick in 1...options.ticks {
      // Wait for the next multiple of the interval; until then, handle keys.
      let now = Date().timeIntervalSinceReferenceDate
      let nextTick = ((now / options.interval).rounded(.down) + 1) * options.interval
      while let key = terminal.key(before: Date(timeIntervalSinceReferenceDate: nextTick)) {
        if key == "q" { return }
        if let number = key.wholeNumberValue, views.indices.contains(number - 1) { toggle(number - 1) }
      }

      clock.tick()
      if let releaseAfter = options.releaseAfter, tick.isMultiple(of: releaseAfter) {
        guard let last = views.lastIndex(where: { $0 != nil }) else { return }
        release(last)
      }
    }
  }
}
