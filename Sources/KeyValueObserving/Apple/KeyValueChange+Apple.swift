#if canImport(ObjectiveC)
/// One notification, as Foundation gives it.
package struct KeyValueChange {
  package let object: NSObject
  package let keyPath: String
  package let dictionary: [NSKeyValueChangeKey: Any]

  package init(object: NSObject, keyPath: String, dictionary: [NSKeyValueChangeKey: Any]) {
    self.object = object
    self.keyPath = keyPath
    self.dictionary = dictionary
  }
}
#endif
