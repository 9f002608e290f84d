/// `value`, which is no Optional, as an object that can be observed; nil if it is none.
///
/// Its own type is looked at, without a cast: on Apple platforms that would make an object of a number or a string, and
/// elsewhere, before it says no to one of Swift's collections, copy that into one of Foundation's. A value of a class
/// that is, or descends from, the one that is asked for, is a reference to just such an object.
package func observableObject(_ value: Any) -> KeyValueObservable? {
  func open<Value>(_ value: Value) -> KeyValueObservable? {
    if Value.self is KeyValueObservable.Type {
      return withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: KeyValueObservable.self) }
    }
    // It may stand there as an object of whatever class.
    return Swift.type(of: value as Any) is KeyValueObservable.Type ? value as? KeyValueObservable : nil
  }
  return _openExistential(value, do: open)
}

#if !canImport(ObjectiveC)
/// `value`, which is no Optional, as an object that has keys; nil if it is none.
func keyValueObject(_ value: Any) -> KeyValueObject? {
  observableObject(value)
}
#else
/// `value`, which is no Optional, as an object that has keys; nil if it is none.
func keyValueObject(_ value: Any) -> KeyValueObject? {
  observableObject(value) as? KeyValueObject
}
#endif
