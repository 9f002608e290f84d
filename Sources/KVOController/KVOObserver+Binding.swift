extension KVOObserver where Self: KeyValueObservable {
  /// Assigns the value at a key path of `object` to a property of this object, now and after each change.
  ///
  ///     screen.bind(song, \.title, to: \.text)
  ///
  /// While an object on the path is nil, the property isn't assigned; a property of the value's Optional type is
  /// assigned nil, by ``bind(_:_:to:isolation:fileID:line:)-(_,_,ReferenceWritableKeyPath<Self,Value?>,_,_,_)``. If the type
  /// is `Equatable`, a value that equals the property's own isn't assigned.
  ///
  /// A property has one source: binding it to another object or key path ends the former binding. Binding it to the
  /// same again has no effect. To bind two properties to each other, use `bindBothWays(_:_:with:isolation:)`.
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
  @_disfavoredOverload
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

  /// Assigns what a closure makes of the value at a key path of `object` to a property of this object, now and after
  /// each change.
  ///
  ///     screen.bind(song, \.plays, to: \.text) { "\($0) plays" }
  ///
  /// The closure runs where the result is assigned; with nil for `isolation` it has to be `@Sendable`. Binding the
  /// property again, also to the same key path, ends this binding. In all else it is like
  /// ``/KVOController/KVOObserver/bind(_:_:to:isolation:fileID:line:)-9s67l``.
  @_disfavoredOverload
  @discardableResult
  public func bind<Object: KeyValueObservable, Value, Target>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, to target: ReferenceWritableKeyPath<Self, Target>,
    isolation: isolated (any Actor)? = #isolation, transform: @escaping (Value) -> Target,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    binding(object, keyPath, to: target, isolation, (fileID, line), .transformed) {
      $0.map(transform)
    }
  }

  /// The form for `isolation: nil`: the value is assigned on the thread that makes the change.
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
  /// It is `bind`, and an observation of this object's property in the other direction. First, that property is assigned
  /// the value of `object`. Then each change of one is assigned to the other, the latest change last. A value that is the
  /// other property's already isn't assigned, and an assignment doesn't come back. What a property makes of the value
  /// that it is assigned, in its `didSet` for instance, is a change, and is assigned to the other one. If the two can't
  /// agree, they are left as they are, after 100 assignments in a row at the latest. While an object on `keyPath` is
  /// nil, nothing is assigned; when it leads to another object, its value is assigned.
  ///
  /// It is one binding of this object's property, and an observation of `object`: it ends with either object, when you
  /// unobserve `object`, and when you bind the property again. It retains `object`, unless that is this object.
  /// `target` can be a part of the property's value; it traps if it can't be observed, or leads to another object. In
  /// all else it is like ``/KVOController/KVOObserver/bind(_:_:to:isolation:fileID:line:)-9s67l``.
  ///
  /// - Returns: A token that ends the binding.
  @_disfavoredOverload
  @discardableResult
  public func bindBothWays<Object: KeyValueObservable, Value: Equatable>(
    _ object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value>,
    with target: ReferenceWritableKeyPath<Self, Value>, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    let site = (fileID, line)
    let targetPath = ObservedPath.resolved(target, of: self, site)
    guard !target.leadsToAnotherObject else {
      misuse(
        "Cannot bind \"\(targetPath.currentName)\" of <\(debugName(of: self))> both ways",
        because: "that is a property of another object, which may be replaced",
        remedy: "Call bindBothWays on the object that has the property.", site: site)
    }
    let readSource = keyPath.reader
    let opposite = Binding.Opposite(
      path: targetPath,
      // Tracked reads are made with the lock of their object.
      isCut: !keyPath.isForced
        ? nil
        : { source in ReadTracker.track({ _, _ in }) { readSource(unsafeDowncast(source, to: Object.self)) } == nil }
    ) { binding, value, source in
      guard let new: Value = value.typed() else { return }
      binding.assign(new) { unsafeDowncast(source, to: Object.self)[keyPath: keyPath] = new }
    }
    return binding(object, keyPath, to: target, isolation, site, .bothWays, opposite) { $0 }
  }

  /// The form for `isolation: nil`: the values are assigned on the thread that makes the change.
  @discardableResult
  public func bindBothWays<Object: KeyValueObservable, Value: Equatable>(
    _ object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value> & Sendable,
    with target: ReferenceWritableKeyPath<Self, Value> & Sendable, isolation: Never?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    bindBothWays(object, keyPath, with: target, fileID: fileID, line: line)
  }

  /// Begins a binding. `assigned` returns what to assign for a value, which is nil if it can't be reached; nil for nothing.
  private func binding<Object: KeyValueObservable, Value, Target>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, to target: ReferenceWritableKeyPath<Self, Target>,
    _ isolation: (any Actor)?, _ site: CallSite, _ kind: Binding.Kind = .plain, _ opposite: Binding.Opposite? = nil,
    _ assigned: @escaping (Value?) -> Target?
  ) -> KVOObservation {
    let path = ObservedPath.resolved(keyPath, of: object, site)
    let readTarget = target.reader
    return controllerForBindings(at: site).whileRetained { store in
      let request = Request(
        path: path, options: isolation == nil ? .initial : [.initial, .new], identity: .binding(target),
        destination: Destination(isolation), site: site
      ) { _, _ in }
      let binding = Binding(kind, object, request, to: target, of: self, in: store, opposite) {
        binding, value, observer in
        let observer = unsafeDowncast(observer, to: Self.self)
        guard let new = assigned(value.typed()) else { return }
        guard let present = readTarget(observer) else {
          return DebugNotice.send(about: "binding at \(site.fileID):\(site.line)") {
            "The binding at \(site.fileID):\(site.line) assigns nothing while an object on \(observer.text(of: target)) is nil. "
              + "Bind when the object is there, or bind on that object."
          }
        }
        guard isSame(new, present) != true else { return }
        binding.assign(new, madeOf: value) { observer[keyPath: target] = new }
      }
      return binding.begin(at: object)
    }
  }

  private func text(of target: AnyKeyPath) -> String { KeyPathKeys.text(of: target, from: type(of: self)) }
}
