/// The form of observing that has made a registration, in words.
enum ObservationForm: String, Sendable {
  case addObserver = "with addObserver"
  case closure = "with a closure"
  case publisher = "with a publisher"
  case tracking = "with withObservationTracking"
  case block = "with a block"
  case handler = "with a typed handler"
  /// A typed handler that takes the whole new value of each change, even if only some objects of a collection have changed.
  case valueHandler
  case action = "with an action"
  case context = "with a context"

  var text: String { if case .valueHandler = self { Self.handler.rawValue } else { rawValue } }

  var isTyped: Bool {
    switch self {
    case .handler, .valueHandler: true
    default: false
    }
  }
}

extension NSKeyValueObservingOptions {
  /// The options in words.
  var text: String {
    let words = [(Self.new, "new"), (.old, "old"), (.initial, "initial"), (.prior, "prior")]
      .filter { contains($0.0) }.map(\.1)
    return words.isEmpty ? "no options" : words.joined(separator: ", ")
  }
}
