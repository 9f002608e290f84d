import KVOController

/// A model whose subclasses are in other modules.
open class Graphic: KeyValueObject, @unchecked Sendable {
  @Observed open var fill = true
  @Observed open var name = "graphic"
  @Observed open var inner: Graphic?
  open var isLong: Bool { name.count > 3 }

  public override init() {}
}

/// It observes the graphics of a drawing.
package final class Drawing: KeyValueObject, @unchecked Sendable {
  @Observed package var graphics: [Graphic]

  package init(_ graphics: [Graphic]) { self.graphics = graphics }
}
