/// Lets the closures of `observe(_:options:changeHandler:)` be called through relays, as on Apple platforms, in builds with stand-ins
/// for Foundation.
package func relayClosuresIfRequested() {
  #if KVO_STAND_INS
  RelayedKeyImitation.use()
  #endif
}
