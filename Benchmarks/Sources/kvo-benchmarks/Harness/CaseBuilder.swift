/// Lists cases and arrays of them without commas.
@resultBuilder
enum CaseBuilder {
  static func buildExpression(_ element: Case) -> [Case] { [element] }
  static func buildExpression(_ elements: [Case]) -> [Case] { elements }
  static func buildBlock(_ parts: [Case]...) -> [Case] { parts.flatMap { $0 } }
}
