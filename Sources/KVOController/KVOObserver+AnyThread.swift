// The forms for an explicit `isolation: nil`. What the compiler has checked as isolated to an actor isn't `@Sendable`, so it
// isn't accepted here. No value is of the type `Never`: only nil selects these forms.

extension KVOObserver where Self: KeyValueObservable {
  /// On the thread of the change:
  /// ``/KVOController/KVOObserver/observe(_:_:options:identifier:isolation:changeHandler:fileID:line:)-404c4``.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Object, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPath, options: options, identifier: identifier, changeHandler: changeHandler, fileID: fileID,
      line: line)
  }

  /// On the thread of the change:
  /// ``/KVOController/KVOObserver/observe(_:_:options:identifier:isolation:changeHandler:fileID:line:)-8jjfw``.
  @discardableResult
  public func observe<Object: KeyValueObservable>(
    _ object: Object, _ keyPaths: [PartialKeyPath<Object>], options: NSKeyValueObservingOptions = [],
    identifier: AnyHashable? = nil, isolation: Never?, changeHandler: @escaping @Sendable (Self, Object) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPaths, options: options, identifier: identifier, changeHandler: changeHandler, fileID: fileID,
      line: line)
  }

  /// On the thread of the change:
  /// ``/KVOController/KVOObserver/observe(allOf:isolation:changeHandler:fileID:line:)-8km2j``.
  @discardableResult
  public func observe<Object: KeyValueObject>(
    allOf object: Object, isolation: Never?, changeHandler: @escaping @Sendable (Self, Object, String) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(allOf: object, changeHandler: changeHandler, fileID: fileID, line: line)
  }

  /// On the thread of the change:
  /// ``/KVOController/KVOObserver/observe(_:elements:_:options:isolation:changeHandler:fileID:line:)-6c76p``.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: Sequence, Value>(
    _ object: Object, elements: KeyPath<Object, Elements>, _ keyPath: KeyPath<Elements.Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Elements.Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation where Elements.Element: KeyValueObservable {
    observe(
      object, elements: elements, keyPath, options: options, changeHandler: changeHandler, fileID: fileID, line: line)
  }

  /// On the thread of the change:
  /// ``/KVOController/KVOObserver/observe(_:elements:_:options:isolation:changeHandler:fileID:line:)-745co``.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: Sequence, Value>(
    _ object: Object, elements: KeyPath<Object, Elements?>, _ keyPath: KeyPath<Elements.Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Elements.Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation where Elements.Element: KeyValueObservable {
    observe(
      object, elements: elements, keyPath, options: options, changeHandler: changeHandler, fileID: fileID, line: line)
  }

  /// On the thread of the change:
  /// ``/KVOController/KVOObserver/observe(_:elements:_:options:isolation:changeHandler:fileID:line:)-1n91z``.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: NSOrderedSet, Element: KeyValueObservable, Value>(
    _ object: Object, elements: KeyPath<Object, Elements>, _ keyPath: KeyPath<Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, elements: elements, keyPath, options: options, changeHandler: changeHandler, fileID: fileID, line: line)
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

  /// As ``/KVOController/KVOObserver/bind(_:_:to:isolation:fileID:line:)-17tqo``, on the thread of the change.
  @discardableResult
  public func bind<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>,
    to target: ReferenceWritableKeyPath<Self, Value?> & Sendable, isolation: Never?, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> KVOObservation {
    bind(object, keyPath, to: target, fileID: fileID, line: line)
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
}
