import KVOController
import _KVOTestSupport

/// An observer, its controller, an object, and one on its path, each of which may be released at any time.
final class Stage: @unchecked Sendable {
  var recorder: Recorder?
  var controller: KVOController?
  var circle: Circle?
  var point: Point?

  init(retainObserved: Bool = true) {
    let recorder = Recorder()
    let circle = Circle()
    let point = Point()
    circle.anchor = point
    self.recorder = recorder
    self.circle = circle
    self.point = point
    controller = KVOController(observer: recorder, retainObserved: retainObserved)
  }

  enum Role: CaseIterable {
    case recorder, controller, circle, point
  }

  func leave(_ role: Role) {
    switch role {
    case .recorder: recorder = nil
    case .controller: controller = nil
    case .circle: circle = nil
    case .point: point = nil
    }
  }
}

/// Whether each of a stage is still alive.
struct StageLives {
  let recorder: Weak<Recorder>
  let controller: Weak<KVOController>
  let circle: Weak<Circle>
  let point: Weak<Point>

  init(_ stage: Stage) {
    recorder = Weak(stage.recorder)
    controller = Weak(stage.controller)
    circle = Weak(stage.circle)
    point = Weak(stage.point)
  }

  var living: Set<Stage.Role> {
    rolesAlive([
      .recorder: recorder.isAlive, .controller: controller.isAlive, .circle: circle.isAlive, .point: point.isAlive,
    ])
  }
}
