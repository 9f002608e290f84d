/// A value whose dynamic type the caller has found to be `Value`, without the search that a cast makes.
///
/// It is sound because the opened value is of that type too, or of one of its superclasses, whose references have the same
/// representation.
@inlinable
func exactCast<Actual, Value>(_ value: Actual, to type: Value.Type) -> Value { unsafeBitCast(value, to: type) }
