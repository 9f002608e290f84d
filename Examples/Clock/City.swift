import Foundation

/// A city and the time zone in which it lives.
struct City {
  let name: String
  let timeZone: TimeZone

  /// The cities that the example shows, from west to east.
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
