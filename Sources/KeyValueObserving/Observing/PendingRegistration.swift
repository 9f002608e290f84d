#if !canImport(ObjectiveC)
/// A registration on its way through `addObserver(_:forKeyPath:options:context:)`, which a subclass may override.
///
/// An override receives every registration, as it does in Foundation, and passes it to the base class. That finds here
/// what the arguments can't express: the path itself, and the receiver of the changes.
struct PendingRegistration {
  private let object: Unmanaged<KeyValueObject>
  private let observer: Unmanaged<KeyValueObject>
  private let context: UnsafeMutableRawPointer?
  let path: ObservedPath
  let receiver: (any KeyValueChangeReceiver)?
  private var isTaken = false

  /// The address of the running thread's latest one, which is in the frame of ``run(_:)`` below.
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

  /// Runs `body`, in which the base class finds the registration.
  consuming func run(_ body: () -> Void) {
    var pending = self
    withUnsafeMutablePointer(to: &pending) { pointer in
      let outer = Self.current.value
      Self.current.value = UInt(bitPattern: pointer)
      body()
      Self.current.value = outer
    }
  }

  /// The registration with these arguments that is on its way on this thread, the first time it arrives.
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
