#if !canImport(ObjectiveC)
/// A registration during a call of `addObserver(_:forKeyPath:options:context:)`, which a subclass may override.
///
/// An override receives every registration, as in Foundation, and passes it to the base class. The base class finds
/// here what the arguments can't express: the path itself, and the receiver of the changes.
struct PendingRegistration {
  private let object: Unmanaged<KeyValueObject>
  private let observer: Unmanaged<KeyValueObject>
  private let context: UnsafeMutableRawPointer?
  let path: ObservedPath
  let receiver: (any KeyValueChangeReceiver)?
  private var isTaken = false

  /// The address of the thread's latest registration, which is in the stack frame of ``run(_:)``.
  private static let current = ThreadLocal()

  init(
    _ observer: KeyValueObject, of object: KeyValueObject, _ path: ObservedPath, context: UnsafeMutableRawPointer?,
    _ receiver: (any KeyValueChangeReceiver)?
  ) {
    self.object = .passUnretained(object)
    self.observer = .passUnretained(observer)
    self.context = context
    self.path = path
    self.receiver = receiver
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

  /// The pending registration with these arguments on this thread. It is returned once.
  static func take(
    _ observer: KeyValueObject, of object: KeyValueObject, context: UnsafeMutableRawPointer?
  ) -> PendingRegistration? {
    guard let pointer = UnsafeMutablePointer<PendingRegistration>(bitPattern: current.value) else { return nil }
    let pending = pointer.pointee
    guard !pending.isTaken, pending.context == context, pending.object.toOpaque() == address(of: object),
      pending.observer.toOpaque() == address(of: observer)
    else { return nil }
    pointer.pointee.isTaken = true
    return pending
  }

  private static func address(of object: KeyValueObject) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque()
  }
}
#endif
