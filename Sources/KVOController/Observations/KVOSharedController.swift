/// The only observer that is really registered with observed objects.
///
/// Foundation calls it for each change, and it routes the change by its context to the observation that it is for. Our
/// own engine knows the observation, and hands it the change itself.
final class KVOSharedController: KeyValueObservable, @unchecked Sendable {
  static let shared = KVOSharedController()

  let contexts = Contexts()

  /// Registers for the observation's key path of `object`.
  func observe(_ object: KeyValueObservable, _ info: KVOInfo) {
    let number = contexts.insert(info)
    guard info.willRegister(number) else {
      contexts.remove(number)
      return
    }
    let context = UnsafeMutableRawPointer(bitPattern: number)
    object.register(self, for: info.path, options: info.options, context: context, receiver: info)
    // With the option `.initial` the observation may have been ended by its own handler just now.
    if !info.didRegister() {
      object.removeObserver(self, forKeyPath: info.keyPath, context: context)
    }
  }

  /// Ends the observation.
  ///
  /// - Parameter object: The object observed; nil if it is dead or dying, and takes its registrations along by itself.
  func unobserve(_ object: KeyValueObservable?, _ info: KVOInfo) {
    let (number, mustUnregister) = info.end()
    contexts.remove(number)
    if mustUnregister, let object {
      object.removeObserver(
        self, forKeyPath: info.keyPath, context: UnsafeMutableRawPointer(bitPattern: number))
    }
  }
}
