extension KVOController {
  /// Calls a block on a dispatch queue for each change of the values at several key paths, one call after the other, in the
  /// order of the changes.
  ///
  /// It is for Objective-C. In Swift a block on another thread would have to be `@Sendable`, and what is passed to it would
  /// have to be `Sendable` too, which nothing can check here.
  ///
  /// - Parameter queue: The queue; nil for the thread that makes the change.
  func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions, on queue: DispatchQueue?,
    block: @escaping FBKVONotificationBlock
  ) {
    observe(object, keyPaths, options, nil, Destination(queue), .block(block))
  }
}
