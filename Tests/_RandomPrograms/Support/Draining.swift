import Foundation

/// Runs a step of a program, and releases what it has autoreleased: on Apple platforms Foundation autoreleases what it reads, which
/// would otherwise be alive when the living objects are compared.
func draining<Result>(_ body: () -> Result) -> Result {
  #if canImport(ObjectiveC)
  autoreleasepool(invoking: body)
  #else
  body()
  #endif
}
