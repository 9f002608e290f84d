/// Names what one object keeps for another, for as long as it lives.
package enum AssociationKey: Hashable, Sendable {
  case controller
  case nonRetainingController
  case observerLifeline
}
