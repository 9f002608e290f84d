extension KVOInfo {
  /// The key path with its options in words: `date (initial, new)`.
  var debugDescription: String {
    let words = [(NSKeyValueObservingOptions.new, "new"), (.old, "old"), (.initial, "initial"), (.prior, "prior")]
      .filter { options.contains($0.0) }.map(\.1)
    let identifier = identifier.map { ", identifier: \($0.value)" } ?? ""
    return "\(keyPath) (\(words.isEmpty ? "no options" : words.joined(separator: ", "))\(identifier))"
  }
}
