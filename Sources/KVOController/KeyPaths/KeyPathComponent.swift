import CKeyValueObserving

/// A component of a Swift key path, with the identity that the key path object contains for its property.
///
/// The memory to which it refers belongs to the key path object, which the caller retains, and is immutable.
struct KeyPathComponent: @unchecked Sendable {
  enum Kind: Equatable {
    /// A stored property of a struct, or an element of a tuple.
    case structField(offset: Int)
    /// A stored property of a class that is accessed directly.
    case classField(offset: Int, isVariable: Bool)
    /// A computed property, an overridable one of a class, or a subscript.
    case computed
    /// `?`
    case optionalChain
    /// The end of a path with a `?`, where the value becomes an Optional.
    case optionalWrap
    /// `!`
    case optionalForce
  }

  var kind = Kind.computed
  /// The type at which the component begins, as written in the key path: perhaps a subclass of the class that
  /// declares the property.
  let rootType: Any.Type
  var valueType: Any.Type
  /// The identity of a computed property, which is equal in all key paths to it; nil if there is no reliable one.
  var identity: PropertyIdentity?
  /// The number of a stored property that isn't loaded directly, such as a weak one of a final class. It is equal in all
  /// key paths to the property that begin at the same class.
  var number: UInt?
  /// The words of the arguments of a subscript, or of the types of a generic context.
  var arguments: [UInt]?
  var hasArguments: Bool { arguments != nil }
  var isSettable = false
  /// The address of the word with the address of a computed component's getter, which is signed for this place on some systems.
  var getter: UnsafeRawPointer?
  /// The getter's arguments, in the memory of the key path object.
  var argumentBytes = UnsafeRawBufferPointer(start: nil, count: 0)
}

// MARK: Values

extension KeyPathComponent {
  /// The value of the property of `root`, which is of the type at which the component begins.
  fileprivate func value(of root: Any) -> Any? {
    func open<Root>(_ root: Root) -> Any? {
      func open<Value>(_ type: Value.Type) -> Any? { value(of: root, as: type) }
      return open(valueType)
    }
    return open(root)
  }

  /// The value of a property or subscript of `root`, whose type is the component's, or a subclass of it. The caller retains
  /// the key path object.
  func value<Root, Value>(of root: Root, as type: Value.Type) -> Value? {
    switch kind {
    case .structField(let offset):
      return withUnsafePointer(to: root) {
        (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee
      }
    case .classField(let offset, _):
      let address = Unmanaged.passUnretained(root as AnyObject).toOpaque() + offset
      return withExtendedLifetime(root) {
        kvo_check_access(address, false)
        return address.assumingMemoryBound(to: Value.self).pointee
      }
    case .computed:
      guard let getter else { return nil }
      return withUnsafePointer(to: root) { root in
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { result in
          kvo_call_getter(getter, result.baseAddress!, root, argumentBytes.baseAddress, argumentBytes.count)
          return result.moveElement(from: 0)
        }
      }
    case .optionalChain, .optionalForce, .optionalWrap:
      return nil
    }
  }
}

extension Sequence<KeyPathComponent> {
  var haveForcedStep: Bool { contains { $0.kind == .optionalForce } }

  /// The value at the end of the components, of which a forced step leads nowhere if it is nil, unlike that of Swift.
  ///
  /// - Parameter root: A value of the type at which the first one begins. The caller retains the key path object.
  /// - Returns: The value, which may be an Optional; nil if a step is nil.
  func value(from root: Any) -> Any? {
    var value = root
    for component in self {
      switch component.kind {
      case .optionalChain, .optionalForce:
        guard let wrapped = (value as? any OptionalValue)?.wrapped else { return nil }
        value = wrapped
      case .optionalWrap:
        break
      case .structField, .classField, .computed:
        guard let next = component.value(of: value) else { return nil }
        value = next
      }
    }
    return value
  }
}

extension KeyPath {
  /// Reads the value at the end of the key path; nil if a forced step is nil, where Swift traps.
  var reader: (Root) -> Any? {
    let components = KeyPathComponent.all(of: self).flatMap { $0.haveForcedStep ? $0 : nil }
    return { root in
      requireNoLock("a key path is read")
      guard let components else { return root[keyPath: self] }
      // The components refer to the memory of the key path object.
      return withExtendedLifetime(self) { components.value(from: root) }
    }
  }

  /// Whether it has a forced step.
  var isForced: Bool { KeyPathComponent.all(of: self)?.haveForcedStep == true }

  /// Whether the last property is that of another object than the one at which the key path begins.
  var leadsToAnotherObject: Bool {
    KeyPathComponent.all(of: self)?.dropFirst().contains { $0.rootType is AnyClass } == true
  }
}

// MARK: Overrides

extension KeyPathComponent {
  /// The descriptor of the getter's method; nil if the property can't be overridden.
  var method: UnsafePointer<UInt32>? {
    // It is the identity, and begins with the flags of an instance getter, above which arm64e has a discriminator. Otherwise the
    // identity is the getter, and no code begins like that.
    guard case .computed = kind, let method = UnsafePointer<UInt32>(bitPattern: identity?.address ?? 0),
      method.pointee & 0xFFFF == 0x12
    else { return nil }
    return method
  }

  /// The class that declares the property, if it can be overridden.
  private var declaringClass: AnyClass? {
    guard let method, let type = rootType as? AnyClass else { return nil }
    // The descriptor is a part of the description of the class, so none of another one begins between them.
    let candidates = superclasses(from: type).compactMap { type in
      kvo_description(Self.metadata(of: type)).map { (type: type, start: $0) }
    }
    return candidates.filter { $0.start <= UnsafeRawPointer(method) }.max { $0.start < $1.start }?.type
  }

  /// The implementation of the getter in a class that inherits the property, or nil if it can't be overridden.
  func getter(in type: AnyClass) -> UnsafeRawPointer? {
    guard let method, let declaringClass else { return nil }
    return kvo_implementation(Self.metadata(of: type), method, Self.metadata(of: declaringClass))
  }

  /// Whether a class that inherits the property overrides it.
  func isOverridden(in type: AnyClass) -> Bool {
    declaringClass.map { getter(in: $0) != getter(in: type) } ?? false
  }

  /// The names of the stored variables that this may be, which aren't observed; none if it is computed, or a constant.
  var plainVariables: [String] {
    let classes = (rootType as? AnyClass).map { type in declaringClass.map { [$0] } ?? Array(superclasses(from: type)) }
    let stored = (classes ?? []).flatMap { StoredProperty.declared(by: $0) ?? [] }.filter(\.isVariable)
    switch kind {
    case .classField(let offset, isVariable: true): return stored.filter { $0.offset == offset }.map(\.name)
    // A setter's descriptor follows that of the getter. The storage of a lazy property has a name with a dollar sign.
    case .computed where number != nil || method.map({ $0[2] & 0xFFFF == 0x13 }) == true:
      return stored.filter { $0.type == valueType && !$0.name.hasPrefix("$") }.map(\.name)
    default: return []
    }
  }

  private static func metadata(of type: AnyClass) -> UnsafeRawPointer {
    unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
  }
}

extension PropertyIdentity {
  /// That of the property to which a key path leads first; nil if it isn't known.
  package init?(of keyPath: AnyKeyPath) {
    guard let identity = KeyPathComponent.all(of: keyPath)?.first?.identity else { return nil }
    self = identity
  }
}
