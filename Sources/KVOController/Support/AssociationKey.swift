/// A key for an associated object.
///
/// A key is identified by its address, as Objective-C's runtime requires, not by its contents. Declare a key as
/// a static constant, which is never deallocated.
package final class AssociationKey: Sendable {
  package init() {}

  /// The address that identifies the key.
  var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
}
