import Foundation

extension Double {
  /// Three digits, or the whole number if it has more.
  var short: String {
    if self == rounded(), abs(self) < 1e6 { return Int(self).grouped }
    switch abs(self) {
    case ..<10: return String(format: "%.2f", self)
    case ..<100: return String(format: "%.1f", self)
    default: return Int(rounded()).grouped
    }
  }
}

extension Int {
  /// With commas between the thousands.
  var grouped: String {
    let digits = Array(String(magnitude))
    let groups = stride(from: digits.count, to: 0, by: -3).map { String(digits[Swift.max(0, $0 - 3)..<$0]) }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}
