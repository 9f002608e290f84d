import Foundation

/// A city and its time zone.
struct City {
  let name: String
  let timeZone: TimeZone

  /// Whether the sun is up there, roughly: from 6 in the morning to 6 in the evening.
  func isDay(at date: Date) -> Bool {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    return (6..<18).contains(calendar.component(.hour, from: date))
  }

  /// The cities in the example, from west to east.
  static let all: [City] = [
    ("San Francisco", "America/Los_Angeles"),
    ("New York", "America/New_York"),
    ("London", "Europe/London"),
    ("Mumbai", "Asia/Kolkata"),
    ("Tokyo", "Asia/Tokyo"),
  ].compactMap { name, identifier in
    TimeZone(identifier: identifier).map { City(name: name, timeZone: $0) }
  }
}
