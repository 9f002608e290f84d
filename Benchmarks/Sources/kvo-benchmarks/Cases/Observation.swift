import KVOController
import Observation

extension Group {
  /// Models that conform to `Observable`, compared with `@Observable` ones.
  static var observation: Group {
    Group("Observation") {
      Case("get, @Observable") {
        let model = Tracked()
        return Loop { for _ in 0..<$0 { use(model.number); barrier() } }
      }
      Case("get", .beside("get, @Observable", atMost: 1)) {
        let model = ObservableModel()
        use(model.number)
        return Loop { for _ in 0..<$0 { use(model.number); barrier() } }
      }
      Case("set, @Observable") {
        let model = Tracked()
        return Loop { for value in 0..<$0 { model.number = value; barrier() } }
      }
      Case("set", .beside("set, @Observable", atMost: 1.5)) {
        let model = ObservableModel()
        use(model.number)
        return Loop { for value in 0..<$0 { model.number = value; barrier() } }
      }
      Case("tracked gets, @Observable") {
        let model = Tracked()
        return Loop { count in
          withObservationTracking {
            for _ in 0..<count { use(model.number); barrier() }
          } onChange: {
          }
          model.number += 1
        }
      }
      Case("tracked gets", .beside("tracked gets, @Observable", atMost: 1.5)) {
        let model = ObservableModel()
        return Loop { count in
          withObservationTracking {
            for _ in 0..<count { use(model.number); barrier() }
          } onChange: {
          }
          model.number += 1
        }
      }
      Case("set, tracked again each time, @Observable") {
        let model = Tracked(), watcher = Watcher()
        nonisolated(unsafe) let told = watcher
        return Loop(telling: watcher) {
          for value in 0..<$0 {
            withObservationTracking {
              use(model.number)
            } onChange: {
              told.take(1)
            }
            model.number = value + 1
          }
        }
      }
      Case("set, tracked again each time", .beside("set, tracked again each time, @Observable", atMost: 1.5)) {
        let model = ObservableModel(), watcher = Watcher()
        nonisolated(unsafe) let told = watcher
        return Loop(telling: watcher) {
          for value in 0..<$0 {
            withObservationTracking {
              use(model.number)
            } onChange: {
              told.take(1)
            }
            model.number = value + 1
          }
        }
      }
      Case("object, plain") {
        Loop { for _ in 0..<$0 { release(makePlainObject()) } }
      }
      Case("object, not Observable", .beside("object, plain")) {
        Loop { for _ in 0..<$0 { release(makeModel()) } }
      }
      Case("object", .beside("object, not Observable")) {
        Loop { for _ in 0..<$0 { release(makeObservableModel()) } }
      }
    }
  }
}

/// The least cost of an object with the same superclass as a model.
private final class PlainObject: NSObject {
  var number = 0
}

// Functions of their own, so that no object is on the stack.

@inline(never)
private func makePlainObject() -> AnyObject {
  PlainObject()
}

@inline(never)
private func makeModel() -> AnyObject {
  Model()
}

@inline(never)
private func makeObservableModel() -> AnyObject {
  ObservableModel()
}

@inline(never)
private func release(_ object: consuming AnyObject) {
  _ = consume object
}
