#if !canImport(ObjectiveC)
/// Registers observers in the engine's place. Only tests have one, which has the manners of Foundation: on Apple platforms
/// it registers observers that call `addObserver`.
package protocol ObserverRegistrar: AnyObject, Sendable {
  static func add(
    _ observer: KeyValueObject, to object: KeyValueObject, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?)

  /// - Parameter context: nil for any context.
  static func remove(
    _ observer: KeyValueObject, from object: KeyValueObject, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer??)

  static func observationInfo(of object: KeyValueObject) -> UnsafeMutableRawPointer?
}

extension FoundationWay {
  /// The registrar of the tests, in debug builds if the environment variable `KVO_FOUNDATION_REGISTERS` is set.
  #if DEBUG
  static let registrar = ProcessInfo.processInfo.environment["KVO_FOUNDATION_REGISTERS"].flatMap { _ in
    NSClassFromString("_KVOTestSupport.FoundationRegistrar") as? any ObserverRegistrar.Type
  }
  #else
  static var registrar: (any ObserverRegistrar.Type)? { nil }
  #endif
}
#endif
