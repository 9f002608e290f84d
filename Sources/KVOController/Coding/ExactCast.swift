/// A value whose dynamic type the caller has found to be `Value`, without the search that a cast makes.
///
/// It is sound because the opened value is of that type too, or of one of its superclasses, whose references have the same
/// representation. Generic code can put an existential into an `Any`; then the opened value is of its type, and is cast.
@inlinable
func exactCast<Actual, Value>(_ value: Actual, to type: Value.Type) -> Value {
  if Actual.self == Value.self || Actual.self is AnyObject.Type { return unsafeBitCast(value, to: type) }
  return value as! Value
}
