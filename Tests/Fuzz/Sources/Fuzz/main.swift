import Foundation
import _RandomPrograms

/// Runs the random program that the fuzzer's bytes describe. A difference between engine and model traps, like a
/// crash does, and leaves the bytes in a file.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let failure = RandomProgram.run(bytes: Array(UnsafeBufferPointer(start: bytes, count: count)))
  if let failure { fatalError(failure) }
  return 0
}

/// libFuzzer's main function, for programs that have one of their own, as all that SwiftPM links do.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runFuzzer(&count, &arguments) { fuzz($0, $1) })
