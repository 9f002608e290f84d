/// The calls that a world is in the middle of.
///
/// Between the beginning of a change at indexes and its end, the indexes have to stay right. So a program doesn't touch
/// the collections of that node there.
struct CallStack {
  private enum Frame {
    case edit(node: Int, untilEnd: Bool)
    case call(isPrior: Bool)
  }

  private var frames: [Frame] = []

  mutating func beginEdit(_ node: Int, untilEnd: Bool) { frames.append(.edit(node: node, untilEnd: untilEnd)) }

  mutating func beginCall(isPrior: Bool) { frames.append(.call(isPrior: isPrior)) }

  mutating func end() { frames.removeLast() }

  /// Whether the collections of a node are in the middle of a change.
  func isEditing(_ node: Int) -> Bool {
    for (index, frame) in frames.enumerated() {
      guard case .edit(node, let untilEnd) = frame else { continue }
      if untilEnd { return true }
      guard index + 1 < frames.count, case .call(isPrior: false) = frames[index + 1] else { return true }
    }
    return false
  }
}
