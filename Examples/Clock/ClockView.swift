import KVOController

/// Shows the time in one city and updates it whenever the clock's date changes.
///
/// The view has no `deinit`, and `unobserve` isn't called. Its `kvoController` is released together with the view, and
/// that ends the observation.
final class ClockView: KeyValueObject {
  private let city: City
  private let row: Int
  private let screen: Screen
  private let formatter = DateFormatter()

  init(_ city: City, of clock: Clock, inRow row: Int, on screen: Screen) {
    self.city = city
    self.row = row
    self.screen = screen
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = city.timeZone
    formatter.dateFormat = "HH:mm:ss"
    super.init()

    // Called now, and after each tick. The view is an argument, so the closure captures nothing.
    observe(clock, \.date, options: [.initial, .new]) { view, _, change in
      guard let date = change.newValue else { return }
      view.show(date)
    }
  }

  private func show(_ date: Date) {
    screen.show(formatter.string(from: date), isDay: city.isDay(at: date), inRow: row)
  }
}
