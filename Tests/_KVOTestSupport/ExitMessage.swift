// `swift build` compiles this for systems without exit tests too.
#if canImport(Testing) && (os(macOS) || os(Linux) || os(FreeBSD) || os(OpenBSD) || os(Windows))
import Testing

/// Whether what a stopped process said contains all of these words.
package func said(_ words: String..., in result: ExitTest.Result?) -> Bool {
  let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  return words.allSatisfy { message.contains($0) }
}

/// Whether what a stopped process said contains a sentence that matches a regular expression.
@available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
package func said(_ pattern: String, _ result: ExitTest.Result?) -> Bool {
  let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  // Foundation's regular expressions leak.
  return (try? Regex(pattern)).map { message.contains($0) } ?? false
}

/// The lines of what a process said that contain these words.
package func lines(with words: String, in result: ExitTest.Result?) -> [Substring] {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
    .filter { $0.contains(words) }
}

/// The growth that a process reported.
package func growth(_ result: ExitTest.Result?) -> [Substring] { lines(with: "bytes more", in: result) }
#endif
