import KVOController
import Testing
import _KVOTestSupport

/// Observer, controller, token, observed object and an object on the path end in every order, in every form, between
/// changes and inside handlers. Nothing is called afterwards, nothing is retained, and new objects at the same addresses are unrelated.
@Suite(.watched) struct LifetimeMatrixTests {
  @Test(arguments: Cast.Way.allCases, Cast.Moment.allCases)
  func everyOrderOfReleasesIsSafe(way: Cast.Way, moment: Cast.Moment) {
    var played = 0
    for isRetaining in [true, false] {
      for order in Cast.Role.orders {
        let census = Census()
        let play = Play(Cast(way, retainObserved: isRetaining, census), retainObserved: isRetaining)
        let failure = play.run(order, moment)
        #expect(failure == nil, "\(isRetaining ? "retaining" : "not retaining"), in the order \(order)")
        #expect(census.living == 0, "\(isRetaining ? "retaining" : "not retaining"), in the order \(order)")
        played += 1
      }
    }
    #expect(played == 2 * 120)
  }

  /// One order, from the first participant that ends to the last.
  private final class Play {
    private let cast: Cast
    private var lives: CastLives

    init(_ cast: Cast, retainObserved: Bool) {
      self.cast = cast
      lives = CastLives(cast, retainObserved: retainObserved)
    }

    /// - Returns: A description of the failure; nil if there is none.
    func run(_ order: [Cast.Role], _ moment: Cast.Moment) -> String? {
      for role in order {
        let wasNotified = lives.isNotified
        let before = cast.calls
        lives.leave(role)
        end(role, moment)
        let calls = cast.calls - before
        let expected: Bool =
          switch moment {
          case .between: false
          // The change holds its object until it is over, and with it what observes that.
          case .priorCallOfAnother: wasNotified && (lives.isNotified || role == .object)
          case .ownCall: wasNotified
          }
        guard calls == (expected ? 1 : 0) else { return "\(calls) calls when \(role) ended" }
        guard lives.living == lives.expected else {
          return "alive after \(role): \(lives.living) instead of \(lives.expected)"
        }
        if let failure = changeAll() ?? createUnrelatedObjects() { return "\(failure) after \(role) had ended" }
      }
      return nil
    }

    private func end(_ role: Cast.Role, _ moment: Cast.Moment) {
      switch moment {
      case .between: break
      case .priorCallOfAnother:
        guard let object = lives.object.object else { break }
        let other = Recorder()
        other.whenCalled = { [cast] _, _ in cast.end(role) }
        other.register(with: object, "radius", .prior)
        object.radius += 1
        other.unregister(from: object, "radius")
        other.whenCalled = nil
      case .ownCall:
        cast.whenCalled = { [unowned cast] in cast.end(role) }
        lives.object.object?.radius += 1
        cast.whenCalled = {}
      }
      // A participant that isn't called any longer can't end another one either.
      cast.end(role)
    }

    private func changeAll() -> String? {
      let before = cast.calls
      lives.object.object?.radius += 1
      lives.middle.object?.x += 1
      let expected = (lives.isNotified ? 1 : 0) + (lives.isPathNotified ? 1 : 0)
      return cast.calls - before == expected ? nil : "\(cast.calls - before) calls instead of \(expected)"
    }

    /// New objects may have the addresses of deallocated ones, and must not be confused with them.
    private func createUnrelatedObjects() -> String? {
      let before = cast.calls
      let (recorder, circle, point) = (Recorder(), Circle(), Point())
      let controller = KVOController(observer: recorder)
      defer { withExtendedLifetime(controller) {} }
      guard circle.registrationCount == 0, point.registrationCount == 0 else {
        return "an unrelated object is observed"
      }
      circle.radius += 1
      point.x += 1
      circle.setValue(point, forKey: "anchor")
      lives.object.object?.borderWidth += 1
      return cast.calls == before && recorder.calls == [] ? nil : "an unrelated object notifies"
    }
  }
}
