import KVOController
import Testing

/// Existential types with arguments. A cast to one that is compiled into a client crashes Swift 6.3's optimizer.
@Suite struct ParameterizedExistentialTests {
  protocol Shape<Unit> {
    associatedtype Unit
    var unit: Unit { get }
  }

  struct Square: Shape { var unit: Int }

  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  final class Model: KeyValueObject {
    @Observed var clock: (any Clock<Duration>)?
    @Observed var numbers: (any Sequence<Int>)?
    @Observed var shapes: [String: any Shape<Int>]?
    @Observed var shape: any Shape<Int> = Square(unit: 0)
    @Observed var next: Model?
    var shownClock: (any Clock<Duration>)?
    var shownShapes: [String: any Shape<Int>]?
    var shownShape: any Shape<Int> = Square(unit: -1)
    var shownUnit: (any Shape<Int>)?
  }

  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  @Test func theyAreObservedAndBound() async {
    let (model, screen) = (Model(), Model())
    var changes = 0
    screen.observe(model, \.clock) { _, _, change in changes += change.newValue.map { $0 == nil ? 0 : 1 } ?? 100 }
    screen.observe(model, \.numbers) { _, _, change in
      changes += change.newValue.flatMap { $0 }.map { Array($0).count } ?? 100
    }
    screen.observe(model, \.next?.shape) { _, _, change in changes += change.newValue.flatMap { $0?.unit } ?? 100 }
    screen.observe(model, \.shapes) { _, _, change in changes += change.newValue.flatMap { $0?.count } ?? 100 }
    screen.bind(model, \.clock, to: \.shownClock)
    screen.bind(model, \.shapes, to: \.shownShapes)
    screen.bind(model, \.shape, to: \.shownShape)
    screen.bind(model, \.next?.shape, to: \.shownUnit)
    model.clock = ContinuousClock()
    model.numbers = [1, 2]
    model.shapes = ["a": Square(unit: 1)]
    model.next = Model()
    model.next?.shape = Square(unit: 5)
    model.shape = Square(unit: 6)
    #expect(changes == 9)
    #expect(screen.shownClock is ContinuousClock && screen.shownShapes?["a"]?.unit == 1)
    #expect(screen.shownShape.unit == 6 && screen.shownUnit?.unit == 5)
  }
}
