import KVOController
import Testing

/// Whether what a stopped process said holds all of these words.
func said(_ words: String..., in result: ExitTest.Result?) -> Bool {
  let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  return words.allSatisfy { message.contains($0) }
}
