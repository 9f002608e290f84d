#if !canImport(ObjectiveC)
/// Gives objects one after another, as they were when it was made.
final class ObjectEnumerator: NSEnumerator {
  private var objects: IndexingIterator<[Any]>

  init(_ objects: [Any]) {
    self.objects = objects.makeIterator()
  }

  override func nextObject() -> Any? {
    objects.next()
  }
}
#endif
