import Foundation

/// The program: lets one clock tick, and holds the views that observe it.
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
    let screen = Screen(places: City.all.count, on: terminal)
    var views: [ClockView?] = City.all.enumerated().map { place, city in
      ClockView(city, of: clock, at: place, on: screen)
    }

    /// Closes a view by letting go of it. That's all: the clock forgets it, and the others go on.
    func close(at place: Int) {
      guard let name = views[place]?.city.name else { return }
      views[place] = nil
      screen.close(name, at: place, leaving: views.compactMap { $0 }.count)
    }

    for tick in 1...options.ticks {
      clock.tick()
      if let closeAfter = options.closeAfter, tick.isMultiple(of: closeAfter),
        let last = views.lastIndex(where: { $0 != nil })
      {
        close(at: last)
      }

      // Time passes until the clock reaches the next multiple of the interval.
      let now = Date().timeIntervalSinceReferenceDate
      let nextTick = ((now / options.interval).rounded(.down) + 1) * options.interval
      while let key = terminal.key(before: Date(timeIntervalSinceReferenceDate: nextTick)) {
        if key == "q" { return }
        if let number = key.wholeNumberValue, views.indices.contains(number - 1) { close(at: number - 1) }
      }
      if views.allSatisfy({ $0 == nil }) { return }
    }
  }
}
