#if canImport(ObjectiveC)
/// One registration with Foundation, which has its own record of it.
@usableFromInline
package class Observance: @unchecked Sendable {
  package final let path: ObservedPath
  package final let options: NSKeyValueObservingOptions
  final var context: UnsafeMutableRawPointer?

  init(_ path: ObservedPath, options: NSKeyValueObservingOptions) {
    self.path = path
    self.options = options
  }
}
#endif
