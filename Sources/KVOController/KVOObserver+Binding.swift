extension KVOObserver where Self: KeyValueObservable {
  /// Assigns the value at a key path of `object` to a property of this object, now and after each change.
  ///
  ///     screen.bind(song, \.title, to: \.text)
  ///
  /// While an object on the path is nil, the property isn't assigned; a property of the value's Optional type is
  /// assigned nil, by ``bind(_:_:to:isolation:fileID:line:)-(_,_,ReferenceWritableKeyPath<Self,Value?>,_,_,_)``. If the type
  /// is `Equatable`, a value that equals the property's own isn't assigned.
  ///
  /// A property has one source: binding it to another object or key path ends the former binding. Binding it to the same
  /// again has no effect. To bind two properties to each other, use `bindBothWays(_:_:with:isolation:)`.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - target: The property of this object that gets the value.
  ///   - isolation: The actor on which the value is assigned. Defaults to the caller's; pass nil to assign it on the
  ///     thread that makes the change.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends the binding.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func bind<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, to target: ReferenceWritableKeyPath<Self, Value>,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    binding(object, keyPath, to: target, isolation, (fileID, line)) { $0 }
  }

  /// As ``/KVOController/KVOObserver/bind(_:_:to:isolation:fileID:line:)-9s67l``, on the thread of the change.
  @discardableResult
  public func bind<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>,
    to target: ReferenceWritableKeyPath<Self, Value> & Sendable, isolation: Never?, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> KVOObservation {
    bind(object, keyPath, to: target, fileID: fileID, line: line)
  }

  /// Assigns the value at a key path of `object` to an Optional property of this object, now and after each change.
  ///
  /// While an object on the path is nil, the property is nil. In all else it is like
  /// ``/KVOController/KVOObserver/bind(_:_:to:isolation:fileID:line:)-9s67l``.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func bind<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, to target: ReferenceWritableKeyPath<Self, Value?>,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    binding(object, keyPath, to: target, isolation, (fileID, line)) { .some($0) }
  }

  /// As ``/KVOController/KVOObserver/bind(_:_:to:isolation:fileID:line:)-17tqo``, on the thread of the change.
  @discardableResult
  public func bind<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>,
    to target: ReferenceWritableKeyPath<Self, Value?> & Sendable, isolation: Never?, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> KVOObservation {
    bind(object, keyPath, to: target, fileID: fileID, line: line)
  }

  /// Assigns what a closure makes of the value at a key path of `object` to a property of this object, now and after each
  /// change.
  ///
  ///     screen.bind(song, \.plays, to: \.text) { "\($0) plays" }
  ///
  /// The closure runs where the result is assigned; with nil for `isolation` it has to be `@Sendable`. Binding the property
  /// again, also to the same key path, ends this binding. In all else it is like
  /// ``/KVOController/KVOObserver/bind(_:_:to:isolation:fileID:line:)-9s67l``.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func bind<Object: KeyValueObservable, Value, Target>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, to target: ReferenceWritableKeyPath<Self, Target>,
    isolation: isolated (any Actor)? = #isolation, transform: @escaping (Value) -> Target,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    binding(object, keyPath, to: target, isolation, (fileID, line), isTransformed: true) {
      $0.map(transform)
    }
  }

  /// On the thread of the change:
  /// ``/KVOController/KVOObserver/bind(_:_:to:isolation:transform:fileID:line:)-1tsrk``.
  @discardableResult
  public func bind<Object: KeyValueObservable, Value, Target>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>,
    to target: ReferenceWritableKeyPath<Self, Target> & Sendable, isolation: Never?,
    transform: @escaping @Sendable (Value) -> Target, fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    bind(object, keyPath, to: target, transform: transform, fileID: fileID, line: line)
  }

  /// Keeps a property of this object equal to the value at a key path of `object`, in both directions.
  ///
  ///     editor.bindBothWays(song, \.title, with: \.text)
  ///
  /// First, this object's property is assigned the value of `object`. Then each change of one is assigned to the other, the
  /// latest change last; if both have changed before they can be compared, the value of `object` wins. A value that is the
  /// other property's already isn't assigned, so an assignment doesn't come back. What a property makes of the value that it
  /// is assigned, in its `didSet` for instance, is assigned to the other one; what that one makes of it isn't. If the two can't
  /// agree, they are left as they are. While an object on a path is nil, nothing is assigned; when `keyPath` leads to another object,
  /// its value is assigned.
  ///
  /// It is one binding of this object's property, and an observation of `object`: it ends with either object, when you
  /// unobserve `object`, and when you bind the property again. It retains `object`, unless that is this object.
  ///
  /// - Parameters:
  ///   - object: The other object.
  ///   - keyPath: The key path of its property. Traps if it can't be observed.
  ///   - target: The property of this object. Traps if it can't be observed.
  ///   - isolation: The actor on which both are read and assigned. Defaults to the caller's; pass nil to do it on the
  ///     thread that makes the change.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends the binding.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @_disfavoredOverload
  @discardableResult
  public func bindBothWays<Object: KeyValueObservable, Value: Equatable>(
    _ object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value>,
    with target: ReferenceWritableKeyPath<Self, Value>, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    let site = (fileID, line)
    let controller = assigningController(site)
    let path = ObservedPath.resolved(keyPath, of: object, site)
    let targetPath = ObservedPath.resolved(target, of: self, site)
    let binding = Binding(target, of: self, (ObjectIdentifier(object), path, isBothWays: true))
    return binding.begin(at: object, by: controller, site) { store in
      TwoWayBinding(binding, of: self).info(object, keyPath, path, of: store, self, target, targetPath, isolation, site)
    }
  }

  /// On the thread of the change:
  /// ``/KVOController/KVOObserver/bindBothWays(_:_:with:isolation:fileID:line:)-2uur0``.
  @discardableResult
  public func bindBothWays<Object: KeyValueObservable, Value: Equatable>(
    _ object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value> & Sendable,
    with target: ReferenceWritableKeyPath<Self, Value> & Sendable, isolation: Never?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    bindBothWays(object, keyPath, with: target, fileID: fileID, line: line)
  }

  /// Begins a binding. `assigned` returns what to assign for a value, which is nil if it can't be reached; nil for nothing.
  @inlinable
  func binding<Object: KeyValueObservable, Value, Target>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, to target: ReferenceWritableKeyPath<Self, Target>,
    _ isolation: (any Actor)?, _ site: CallSite, isTransformed: Bool = false,
    _ assigned: @escaping (Value?) -> Target?
  ) -> KVOObservation {
    beginBinding(
      of: object, .resolved(keyPath, of: object, site), to: target, isolation, site, isTransformed: isTransformed
    ) { binding, observer, change, isFirst in
      let observer = unsafeDowncast(observer, to: Self.self)
      guard let new = assigned(change.new.typed()) else { return }
      // The user's closure may have ended the binding.
      if isTransformed, !binding.isActive { return }
      if isSame(new, observer[keyPath: target]) ?? !isFirst { return }
      observer[keyPath: target] = new
    }
  }
}

extension KVOObserver where Self: KeyValueObservable {
  /// Begins a binding, whose handler assigns the value, unless an equal one exists.
  @usableFromInline
  func beginBinding(
    of object: KeyValueObservable, _ path: ObservedPath, to target: AnyKeyPath, _ isolation: (any Actor)?,
    _ site: CallSite, isTransformed: Bool,
    _ assign:
      @escaping (
        _ binding: Binding, _ observer: AnyObject, _ change: borrowing KeyValueChange, _ isFirst: Bool
      ) -> Void
  ) -> KVOObservation {
    let controller = assigningController(site)
    let source: Binding.Source = (ObjectIdentifier(object), path, isBothWays: false)
    let binding = Binding(target, of: self, isTransformed ? nil : source)
    return binding.begin(at: object, by: controller, site) { store in
      KVOInfo(
        path, options: [.initial, .new], .binding(target), Destination(isolation),
        .handler({ _, change in binding.look(change) { assign(binding, $0, $1, $2) } }, .valueHandler), of: store)
    }
  }
}
