import Testing

/// Whether what a stopped process said contains all of these words.
package func said(_ words: String..., in result: ExitTest.Result?) -> Bool {
  let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  return words.allSatisfy { message.contains($0) }
}

/// Whether what a stopped process said contains a sentence that matches a regular expression.
package func said(_ pattern: String, _ result: ExitTest.Result?) -> Bool {
  let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  // Foundation's regular expressions leak.
  return (try? Regex(pattern)).map { message.contains($0) } ?? false
}
