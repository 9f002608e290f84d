extension KVOObserver where Self: KeyValueObservable {
  /// Calls a handler for each change of the value at a key path of each element of a collection.
  ///
  ///     view.observe(cart, elements: \.items, \.price) { view, item, change in view.redraw(item) }
  ///
  /// Elements that come are observed, and those that left are not: assign the collection, mutate it in place, or use
  /// its proxy. An element that is there several times is observed once. The collection can be an array, a set, or
  /// another sequence of objects. With `.initial`, the handler is also called for each element that is there, before
  /// this method returns, and for each that comes. Traps with `.prior`, and if a key path can't be observed.
  ///
  /// It is one observation, of `object`, and independent of other observations of the elements: it ends with this
  /// object, with `object`, or when you unobserve the collection or `object`. It retains `object` and the elements,
  /// unless that is this object. With an `identifier`, it replaces the former one of the same collection and key path
  /// with an equal identifier. In all else it is like the form for one object.
  ///
  /// - Returns: A token that ends this observation. Releasing it stops nothing.
  /// - Complexity: Linear in the number of elements. A change of the collection takes as long as observing those that
  ///   come and unobserving those that left, and a comparison of two addresses for each other element.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: Sequence, Value>(
    _ object: Object, elements: KeyPath<Object, Elements>, _ keyPath: KeyPath<Elements.Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, Elements.Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation where Elements.Element: KeyValueObservable {
    beginObservation(
      of: object, elements: elements, keyPath, options, identifier, isolation, (fileID, line),
      all: { Array($0) }, KVOController.typed(changeHandler))
  }

  /// The form for `isolation: nil`: the handler runs on the thread that makes the change.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: Sequence, Value>(
    _ object: Object, elements: KeyPath<Object, Elements>, _ keyPath: KeyPath<Elements.Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], identifier: AnyHashable? = nil, isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Elements.Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation where Elements.Element: KeyValueObservable {
    observe(
      object, elements: elements, keyPath, options: options, identifier: identifier, changeHandler: changeHandler,
      fileID: fileID, line: line)
  }

  /// Calls a handler for each change of the value at a key path of each element of an Optional collection.
  ///
  /// While the collection is nil, it has no elements. In all else it is like
  /// ``/KVOController/KVOObserver/observe(_:elements:_:options:identifier:isolation:changeHandler:fileID:line:)-569jh``.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: Sequence, Value>(
    _ object: Object, elements: KeyPath<Object, Elements?>, _ keyPath: KeyPath<Elements.Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, Elements.Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation where Elements.Element: KeyValueObservable {
    beginObservation(
      of: object, elements: elements, keyPath, options, identifier, isolation, (fileID, line),
      all: { $0.map { Array($0) } ?? [] }, KVOController.typed(changeHandler))
  }

  /// The form for `isolation: nil`: the handler runs on the thread that makes the change.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: Sequence, Value>(
    _ object: Object, elements: KeyPath<Object, Elements?>, _ keyPath: KeyPath<Elements.Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], identifier: AnyHashable? = nil, isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Elements.Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation where Elements.Element: KeyValueObservable {
    observe(
      object, elements: elements, keyPath, options: options, identifier: identifier, changeHandler: changeHandler,
      fileID: fileID, line: line)
  }

  /// Begins the observation of a collection and of its elements.
  @usableFromInline
  func beginObservation<Object: KeyValueObservable, Elements, Element: KeyValueObservable, Value>(
    of object: Object, elements: KeyPath<Object, Elements>, _ keyPath: KeyPath<Element, Value>,
    _ options: NSKeyValueObservingOptions, _ identifier: AnyHashable?, _ isolation: (any Actor)?, _ site: CallSite,
    all: @escaping (Elements) -> [Element],
    _ handler: @escaping (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void
  ) -> KVOObservation {
    let path = ObservedPath.resolved(elements, of: object, site)
    KeyPathResolver.requireObservable(keyPath, of: Element.self, site)
    if options.contains(.prior) {
      misuse(
        "Cannot observe elements of \"\(path.currentName)\" of <\(debugName(of: object))> with .prior",
        because: "an element may leave the collection within its prior call",
        remedy: "Use the old value of the change, or observe each element yourself.", site: site)
    }
    let owner = controllerForHandlers(at: site)
    let destination = Destination(isolation)
    let lane = owner.store.sharedLane(for: destination)
    let form = Identity.Form.elements(
      ObservedPath.canonical(keyPath), text: ObservedPath.description(of: keyPath))
    let request = Request(
      path: path, options: .initial, requestedOptions: options, identity: Identity(identifier, form),
      destination: .threadOfChange, site: site
    ) { _, _ in }
    let observation = ElementsObservation<Element>(
      request, lane, in: owner.store, { ($0.typed() as Elements?).map(all) ?? [] }
    ) { element in
      Request(
        path: .resolved(keyPath, of: element, site), options: options, identity: .unique, destination: destination,
        lane: lane, handler: handler)
    }
    return KVOObservation(owner.whileRetained { $0.observe(object, [observation], at: site)[0] })
  }
}
