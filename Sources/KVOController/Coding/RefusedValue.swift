/// A value that can't be converted, and its place in the collection that was to be converted.
struct RefusedValue: Error {
  // A conversion returns it to its caller, on the same thread.
  nonisolated(unsafe) let value: Any
  let expected: Any.Type
  /// The places in nested collections, the outermost first; empty if the value itself can't be converted.
  private(set) var places: [String] = []

  init(_ value: Any, _ expected: Any.Type) {
    self.value = value
    self.expected = expected
  }

  /// The same value as an element of a collection.
  func inside(_ place: String) -> RefusedValue {
    var refused = self
    refused.places.insert(place, at: 0)
    return refused
  }
}

// MARK: Misuse

extension Result where Failure == RefusedValue {
  /// The converted value; nil if it was refused.
  var value: Success? { if case .success(let value) = self { value } else { nil } }
}

extension RefusedValue {
  /// The reason in messages.
  ///
  /// - Parameter whole: The type to which the whole value was to be converted.
  func reason(_ whole: Any.Type) -> String {
    if places.isEmpty { return "it must be of type \(whole), but is of type \(type(of: value))" }
    return """
      it must be of type \(whole), but its element \(places.joined(separator: ", ")) can't be converted to \(expected): \
      it is of type \(type(of: value))
      """
  }

  /// The value in messages, shortened.
  var text: String {
    let text = "\(value)"
    return text.count > 200 ? text.prefix(200) + "…" : text
  }
}
