#if canImport(ObjectiveC)
extension KVOSharedController {
  /// A unique number that represents the observation in the context pointer.
  func newContext(for info: KVOInfo) -> UInt { contexts.insert(info) }
}
#endif
