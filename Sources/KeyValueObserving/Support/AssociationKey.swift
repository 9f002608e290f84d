/// A key for an associated object.
///
/// A key is identified by its address, as Objective-C's runtime requires, so two keys are never equal. Declare a key as
/// a static constant, which is never deallocated.
package final class AssociationKey: Hashable, Sendable {
  package init() {}

  /// The address that identifies the key.
  package var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  package static func == (left: AssociationKey, right: AssociationKey) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(address)
  }
}
