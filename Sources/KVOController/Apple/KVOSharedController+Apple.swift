#if canImport(ObjectiveC)
import ObjectiveC

// Foundation's Key-Value Observing calls the observer's method with a dictionary: it is routed to the observation that the
// context stands for; one that has ended gets none.
extension KVOSharedController {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let object = object as? NSObject else { return }
    guard let info = contexts.info(UInt(bitPattern: context)) else { return }
    KeyValueChange.lend(change ?? [:], of: info.path, of: object, to: info.receive)
  }
}
#endif
