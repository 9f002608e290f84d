#if !canImport(ObjectiveC)
/// A registration, or its removal, during a call of `addObserver(_:forKeyPath:options:context:)` or
/// `removeObserver(_:forKeyPath:context:)`, which a subclass may override.
///
/// An override receives every registration, as in Foundation, and passes it to the base class. The base class finds
/// here what the arguments can't express: the path itself, and the observance that receives the changes.
struct PendingRegistration {
  private let object: Unmanaged<KeyValueObject>
  private let observer: Unmanaged<KeyValueObject>
  private let context: UnsafeMutableRawPointer?
  private let isRemoval: Bool
  /// The path, which the caller retains.
  let path: Unmanaged<ObservedPath>
  let options: NSKeyValueObservingOptions
  /// The observance, which the caller retains; nil if the observer is called.
  let observance: Unmanaged<Observance>?
  private var isTaken = false

  /// The address of the thread's latest registration, which is in the stack frame of ``run(_:)``.
  private static let current = ThreadLocal()

  /// - Parameter isRemoval: Whether the registration is removed, and not added.
  init(
    _ observer: KeyValueObject, of object: KeyValueObject, _ path: ObservedPath,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?, _ observance: Observance?, isRemoval: Bool
  ) {
    self.object = .passUnretained(object)
    self.observer = .passUnretained(observer)
    self.context = context
    self.isRemoval = isRemoval
    self.options = options
    self.path = .passUnretained(path)
    self.observance = observance.map(Unmanaged.passUnretained)
  }

  /// Calls `body`, in which the base class finds the registration.
  consuming func run(_ body: () -> Void) {
    var pending = self
    withUnsafeMutablePointer(to: &pending) { pointer in
      let outer = Self.current.value
      Self.current.value = UInt(bitPattern: pointer)
      body()
      Self.current.value = outer
    }
  }

  /// The pending registration or removal with these arguments on this thread. It is returned once.
  ///
  /// - Parameter context: nil for any context.
  static func take(
    _ observer: KeyValueObject, of object: KeyValueObject, context: UnsafeMutableRawPointer??, isRemoval: Bool
  ) -> PendingRegistration? {
    guard let pointer = UnsafeMutablePointer<PendingRegistration>(bitPattern: current.value),
      !pointer.pointee.isTaken, pointer.pointee.isRemoval == isRemoval,
      context == nil || pointer.pointee.context == context!,
      pointer.pointee.object.toOpaque() == address(of: object),
      pointer.pointee.observer.toOpaque() == address(of: observer)
    else { return nil }
    pointer.pointee.isTaken = true
    return pointer.pointee
  }

  private static func address(of object: KeyValueObject) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque()
  }
}
#endif
