import KVOController

/// Shows the time of one city, anew whenever the clock's date changes.
///
/// The view says nothing about the end of its observation: it has no `deinit`, and nobody calls `unobserve`. Its
/// `kvoController` goes with it, and the observation with that.
final class ClockView: KeyValueObject {
  let city: City
  private let place: Int
  private let screen: Screen
  private let formatter = DateFormatter()

  init(_ city: City, of clock: Clock, at place: Int, on screen: Screen) {
    self.city = city
    self.place = place
    self.screen = screen
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = city.timeZone
    formatter.dateFormat = "HH:mm:ss"
    super.init()

    kvoController.observe(clock, keyPath: "date", options: .new, action: ClockView.dateDidChange)
  }

  private func dateDidChange(_ change: [NSKeyValueChangeKey: Any]) {
    guard let date = change[.newKey] as? Date else { return }
    screen.show(formatter.string(from: date), for: city.name, at: place)
  }
}
