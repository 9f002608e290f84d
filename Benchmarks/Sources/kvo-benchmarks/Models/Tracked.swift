import Observation

/// The Observation framework's kind of model.
@Observable
final class Tracked {
  var number = 0
}
