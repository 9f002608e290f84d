import KVOController
import _KVOTestSupport

/// An observer, its controller, an object, and one on its path, each of which may be released at any time.
final class Stage: @unchecked Sendable {
  var watcher: Watcher?
  var controller: KVOController?
  var circle: Circle?
  var point: Point?

  init(retainObserved: Bool = true) {
    let watcher = Watcher()
    let circle = Circle()
    let point = Point()
    circle.anchor = point
    self.watcher = watcher
    self.circle = circle
    self.point = point
    controller = KVOController(observer: watcher, retainObserved: retainObserved)
  }

  enum Role: CaseIterable {
    case watcher, controller, circle, point
  }

  func leave(_ role: Role) {
    switch role {
    case .watcher: watcher = nil
    case .controller: controller = nil
    case .circle: circle = nil
    case .point: point = nil
    }
  }
}

/// Whether each of a stage is still alive.
struct StageLives {
  let watcher: Weak<Watcher>
  let controller: Weak<KVOController>
  let circle: Weak<Circle>
  let point: Weak<Point>

  init(_ stage: Stage) {
    watcher = Weak(stage.watcher)
    controller = Weak(stage.controller)
    circle = Weak(stage.circle)
    point = Weak(stage.point)
  }

  var living: Set<Stage.Role> {
    var roles: Set<Stage.Role> = []
    if watcher.isAlive { roles.insert(.watcher) }
    if controller.isAlive { roles.insert(.controller) }
    if circle.isAlive { roles.insert(.circle) }
    if point.isAlive { roles.insert(.point) }
    return roles
  }
}
