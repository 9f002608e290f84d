#if canImport(ObjectiveC)
import ObjectiveC

// Foundation's Key-Value Observing calls the observer's method with a dictionary.
extension KVOSharedController {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let keyPath, let object = object as? NSObject else { return }
    Self.route(KeyValueChange(object: object, keyPath: keyPath, dictionary: change ?? [:]), context)
  }
}
#endif
