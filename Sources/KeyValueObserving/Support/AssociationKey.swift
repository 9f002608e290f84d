/// Names what one object keeps for another for as long as it exists.
///
/// A key is known by its address alone, which is what Objective-C's runtime takes, so two keys are never equal. Whoever
/// uses one declares it as a static constant, which exists as long as the process.
package final class AssociationKey: Hashable, Sendable {
  package init() {}

  /// The address that stands for this key.
  package var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  package static func == (left: AssociationKey, right: AssociationKey) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(address)
  }
}
