/// An object together with its observer.
final class Watched<Object> {
  let object: Object
  let watcher = Watcher()

  init(_ object: Object, observe: (_ watcher: Watcher, _ object: Object) -> Void) {
    self.object = object
    observe(watcher, object)
  }
}
