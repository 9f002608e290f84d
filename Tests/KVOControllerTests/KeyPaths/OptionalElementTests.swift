import KVOController
import Testing
import _KVOTestSupport

/// Typed changes of collections whose elements may be nil, for which null stands in proxies and dictionaries.
@Suite struct OptionalElementTests {
  private final class Sparse: KeyValueObject, @unchecked Sendable {
    @Observed var array: [Int?] = []
    @Observed var set: Set<Int?> = []
    @Observed var maybe: [String?]?
  }

  private let sparse = Sparse()
  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  @Test func insertedAndRemovedNullsAreNil() {
    let (received, _) = controller.listen(to: sparse, \.array)
    let proxy = sparse.mutableArrayValue(forKey: "array")
    proxy.addObjects(from: [1, NSNull()])
    proxy.add(NSNull())
    proxy.replaceObject(at: 0, with: NSNull())
    proxy.removeAllObjects()
    #expect(received.new == [[1, nil], [nil], [nil], nil])
    #expect(received.old == [nil, nil, [1], [nil, nil, nil]])
  }

  @Test func nullsOfSetsAreNil() {
    let (received, _) = controller.listen(to: sparse, \.set)
    let proxy = sparse.mutableSetValue(forKey: "set")
    proxy.addObjects(from: [1, NSNull()])
    proxy.remove(NSNull())
    #expect(received.new == [[1, nil], nil])
    #expect(received.old == [nil, [nil]])
  }

  @Test func nullsOfACollectionThatMayBeNilAreNil() {
    let (received, _) = controller.listen(to: sparse, \.maybe)
    sparse.mutableArrayValue(forKey: "maybe").addObjects(from: ["a", NSNull()])
    #expect(received.new == [["a", nil]])
  }
}
