#if !canImport(ObjectiveC)
import KVOController

// Collections of classes that a client has written: only their own methods know the elements.

final class WrittenArray: NSArray {
  private var elements: [Any] = []

  override var count: Int { elements.count }
  override func object(at index: Int) -> Any { elements[index] }

  init(of elements: [Any]) {
    self.elements = elements
    super.init(objects: nil, count: 0)
  }

  required init(objects: UnsafePointer<AnyObject>?, count: Int) { super.init(objects: objects, count: count) }
  required convenience init?(coder: NSCoder) { nil }
  required convenience init(arrayLiteral elements: Any...) { self.init(of: elements) }
}

final class WrittenSet: NSSet {
  private var elements: [Any] = []

  override var count: Int { elements.count }
  override func member(_ object: Any) -> Any? { elements.first { $0 as? AnyHashable == object as? AnyHashable } }
  override func objectEnumerator() -> NSEnumerator { NSArray(array: elements).objectEnumerator() }

  init(of elements: [Any]) {
    self.elements = elements
    super.init(objects: nil, count: 0)
  }

  required convenience init?(coder: NSCoder) { nil }
}

final class WrittenDictionary: NSDictionary {
  private var elements: [String: Any] = [:]

  override var count: Int { elements.count }
  override func object(forKey key: Any) -> Any? { (key as? String).flatMap { elements[$0] } }
  override func keyEnumerator() -> NSEnumerator { NSArray(array: Array(elements.keys)).objectEnumerator() }

  init(of elements: [String: Any]) {
    self.elements = elements
    super.init(objects: nil, forKeys: nil, count: 0)
  }

  required init(objects: UnsafePointer<AnyObject>?, forKeys: UnsafePointer<NSObject>?, count: Int) {
    super.init(objects: objects, forKeys: forKeys, count: count)
  }
  required convenience init?(coder: NSCoder) { nil }
  required convenience init(dictionaryLiteral elements: (Any, Any)...) { self.init(of: [:]) }
}
#endif
