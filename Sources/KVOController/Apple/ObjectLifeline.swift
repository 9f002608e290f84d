#if canImport(ObjectiveC)
import ObjectiveC

/// Ends the observations of an object that isn't retained, when it dies.
///
/// The object holds its lifelines as associated objects, which the runtime releases when every `deinit` and `dealloc`
/// has run, but before the memory is freed: the last moment at which the registrations can be removed, on the thread on
/// which the object dies.
final class ObjectLifeline: NSObject {
  private weak let controller: KVOController?
  private unowned(unsafe) let object: NSObject
  private let infos: KVOInfoSet
  private var isArmed = true

  private init(_ controller: KVOController, _ object: NSObject, _ infos: KVOInfoSet) {
    self.controller = controller
    self.object = object
    self.infos = infos
  }

  deinit {
    guard isArmed else { return }
    // Without its controller nobody else uses the set.
    for info in controller?.takeAll(infos) ?? infos.all {
      KVOSharedController.shared.unobserve(object, info)
    }
  }

  /// Has `object` end the observations in `infos` when it dies.
  static func attach(_ infos: KVOInfoSet, of controller: KVOController, to object: NSObject) {
    objc_setAssociatedObject(object, key(infos), ObjectLifeline(controller, object, infos), .OBJC_ASSOCIATION_RETAIN)
  }

  /// Takes back what ``attach(_:of:to:)`` gave, without ending anything.
  static func detach(_ infos: KVOInfoSet, from object: NSObject) {
    (objc_getAssociatedObject(object, key(infos)) as? ObjectLifeline)?.isArmed = false
    objc_setAssociatedObject(object, key(infos), nil, .OBJC_ASSOCIATION_RETAIN)
  }

  private static func key(_ infos: KVOInfoSet) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(infos).toOpaque())
  }
}

extension KVOController {
  /// Empties a set of observations.
  fileprivate func takeAll(_ infos: KVOInfoSet) -> [KVOInfo] {
    lock.withLock {
      let all = infos.all
      for info in all { infos.remove(info) }
      return all
    }
  }
}
#endif
