#if !canImport(ObjectiveC)
/// The observances whose paths are being read on this thread.
///
/// What such a path reads may be a getter that changes an observed property: one that fills a cache, for instance. That
/// change is part of the reading. The observance isn't called for it and doesn't begin to read again, or there would be
/// no end to it; it reads once more when it has finished.
struct Evaluation {
  private let observance: Unmanaged<Observance>
  private let outer: UnsafeMutablePointer<Evaluation>?
  /// Whether a change under way concerned the observance.
  private var isStale = false

  /// The address of the running thread's latest one, which is in the frame of ``run(_:_:)`` below.
  private static let current = ThreadLocal()

  private init(_ observance: Observance) {
    self.observance = .passUnretained(observance)
    outer = Self.latest
  }

  private static var latest: UnsafeMutablePointer<Evaluation>? { UnsafeMutablePointer(bitPattern: current.value) }

  /// Whether any path is being read on this thread.
  static var isUnderWay: Bool { current.value != 0 }

  /// Runs `body`, which reads the path of `observance`.
  ///
  /// - Returns: Whether `body` changed what the observance depends on, so that its path may lead elsewhere now.
  static func run(_ observance: Observance, _ body: () -> Void) -> Bool {
    var evaluation = Evaluation(observance)
    return withUnsafeMutablePointer(to: &evaluation) { pointer in
      current.value = UInt(bitPattern: pointer)
      body()
      current.value = UInt(bitPattern: pointer.pointee.outer)
      return pointer.pointee.isStale && !contains(observance)
    }
  }

  /// Whether the path of `observance` is being read on this thread.
  static func contains(_ observance: Observance) -> Bool {
    find(observance) != nil
  }

  /// Whether the path of `observance` is being read on this thread: if so, it is noted that a change concerns it.
  static func noteChange(for observance: Observance) -> Bool {
    guard let evaluation = find(observance) else { return false }
    evaluation.pointee.isStale = true
    return true
  }

  private static func find(_ observance: Observance) -> UnsafeMutablePointer<Evaluation>? {
    var next = latest
    while let evaluation = next {
      if evaluation.pointee.observance.toOpaque() == Unmanaged.passUnretained(observance).toOpaque() {
        return evaluation
      }
      next = evaluation.pointee.outer
    }
    return nil
  }
}
#endif
