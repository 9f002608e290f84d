/// The indexes of a change of a to-many property, in a box: most changes have none, and cost nothing for it then.
@usableFromInline
package final class IndexBox: Sendable {
  package let indexes: IndexSet

  package init(_ indexes: IndexSet) {
    self.indexes = indexes
  }
}
