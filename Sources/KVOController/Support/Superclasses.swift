/// A class and its superclasses, beginning with the class itself.
func superclasses(from type: AnyClass) -> some Sequence<AnyClass> { sequence(first: type) { _getSuperclass($0) } }
