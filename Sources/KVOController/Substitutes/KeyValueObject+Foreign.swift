#if !canImport(ObjectiveC)
/// Whether the engine doesn't observe objects of a class itself.
func isForeignClass(_ type: KeyValueObservable.Type) -> Bool { type is any ForeignObject.Type }

extension KeyValueObject {
  /// This object, if the engine doesn't observe it itself.
  package final var foreign: (any ForeignObject)? { properties.isForeign ? self as? any ForeignObject : nil }

  /// The registrations with Foundation in words.
  final var registrationsOfFoundation: [String] { [] }
}

/// `value`, which isn't an Optional, as an object of the engine; nil if it isn't one.
func keyValueObject(_ value: Any) -> KeyValueObject? { observableObject(value).flatMap(ownObject) }

/// The object, if the engine observes it itself.
func ownObject(_ object: KeyValueObservable) -> KeyValueObject? { object.properties.isForeign ? nil : object }
#endif
