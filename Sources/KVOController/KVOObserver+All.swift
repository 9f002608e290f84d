extension KVOObserver where Self: KeyValueObservable {
  /// Calls a handler for each change of any property of `object`, with the key of the property.
  ///
  ///     store.observe(allOf: song) { store, song, key in store.unsavedSongs.insert(song) }
  ///
  /// The handler is called once for each change of an `@Observed` property, inherited ones included, and of a key that
  /// the class lists in `keyPaths` and that isn't computed from others. It is one observation: observing all of an object
  /// again has no effect. It ends with this object or with `object`, and retains `object`, unless that is this object.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - isolation: The actor on which the handler runs. Defaults to the caller's; pass nil to run on the thread that
  ///     makes the change, with a handler that is `@Sendable`.
  ///   - changeHandler: A closure that takes this object, the observed object, and the key.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation, or the existing one.
  /// - Complexity: Linear in the number of keys.
  @_disfavoredOverload
  @discardableResult
  public func observe<Object: KeyValueObject>(
    allOf object: Object, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, Object, String) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    let handler: KVOReceiver.Handler = { observer, change in
      guard let object = change.object else { return }
      changeHandler(
        KVOController.known(observer, as: Self.self), KVOController.known(object, as: Object.self), change.keyPath)
    }
    let infos = observersController.store.begin(
      object.pathsOfOwnKeys, of: object, [], AllKeys(), isList: false, Destination(isolation), .handler(handler),
      at: CallSite(fileID: fileID, line: line))
    return KVOObservation(infos.all, [])
  }
}

/// Makes an observation of all keys one of its own.
private struct AllKeys: Hashable, CustomStringConvertible {
  var description: String { "all keys" }
}
