/// Lets the closures of `observe(_:options:changeHandler:)` be called through relays, as on Apple platforms, if the environment has
/// `KVO_FOUNDATION_REGISTERS`.
package func relayClosuresIfRequested() {
  #if !canImport(ObjectiveC)
  RelayedKeyImitation.useIfRequested()
  #endif
}
