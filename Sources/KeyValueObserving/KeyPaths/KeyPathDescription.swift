/// What Swift's description of a key path tells of its components, which can't be had otherwise: `\Root.first?.second`.
struct KeyPathDescription {
  let text: String
  /// What the key path leads through: some properties by name, most by the address of their getter and their type.
  let components: [Component]

  struct Component: Equatable {
    let text: Substring

    /// `(Type)`, or all of it where the property has a name.
    private var type: Substring { text.firstIndex(of: "(").map { text[$0...] } ?? text }

    /// Whether this may be the property that `other` is, which may have another address there.
    func hasType(of other: Component) -> Bool { type == other.type }
  }

  init(_ keyPath: AnyKeyPath) {
    text = String(reflecting: keyPath)
    components = Self.parts(of: text).dropFirst().map { part in
      let suffix = part.reversed().prefix { $0 == "?" || $0 == "!" }.count
      return Component(text: part.dropLast(suffix))
    }
  }

  /// What stands between the dots that aren't in brackets.
  private static func parts(of text: String) -> [Substring] {
    var depth = 0
    return text.split { character in
      switch character {
      case "<", "(", "[": depth += 1
      case ">", ")", "]": depth -= 1
      default: return character == "." && depth == 0
      }
      return false
    }
  }
}
