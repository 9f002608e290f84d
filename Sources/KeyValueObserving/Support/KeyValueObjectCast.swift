/// `value`, which is no Optional, as an object that has keys; nil if it is none.
///
/// Its type is looked at first: before `as?` says no to one of Swift's collections, Foundation copies it into one of
/// its own.
func keyValueObject(_ value: Any) -> KeyValueObject? {
  type(of: value) is KeyValueObject.Type ? value as? KeyValueObject : nil
}
