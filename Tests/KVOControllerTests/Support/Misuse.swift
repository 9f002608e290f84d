import KVOController
import _KVOTestSupport

/// Misuses the controller of an observer, which is alive meanwhile.
func misuse(of observer: AnyObject = Recorder(), _ body: (KVOController) -> Void) {
  body(KVOController(observer: observer))
  withExtendedLifetime(observer) {}
}
