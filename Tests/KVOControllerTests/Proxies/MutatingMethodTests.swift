import KVOController
import Testing
import _KVOTestSupport

/// Every mutating method of the proxies: the exact dictionaries for all options of those that send one notification, and what
/// the notifications of the others amount to.
@Suite struct MutatingMethodTests {
  /// A method, what it is called on, and what comes of it.
  struct Case<Proxy>: CustomTestStringConvertible, @unchecked Sendable {
    let name: String
    let start: [Int]
    let end: [Int]
    /// nil if there is none, or if the changes are replayed.
    let change: Change?
    let isReplayed: Bool
    let body: (Proxy) -> Void

    init(
      _ name: String, from start: [Int] = [3, 1, 2], to end: [Int], _ change: Change?,
      _ body: @escaping (Proxy) -> Void
    ) {
      (self.name, self.start, self.end, self.change) = (name, start, end, change)
      (isReplayed, self.body) = (false, body)
    }

    init(_ name: String, from start: [Int] = [3, 1, 2], replayedTo end: [Int], _ body: @escaping (Proxy) -> Void) {
      (self.name, self.start, self.end, change) = (name, start, end, nil)
      (isReplayed, self.body) = (true, body)
    }

    var testDescription: String { "\(name) \(start)" }
  }

  private static let allOptions: [NSKeyValueObservingOptions] = (0..<8).map {
    var options: NSKeyValueObservingOptions = []
    if $0 & 1 != 0 { options.insert(.old) }
    if $0 & 2 != 0 { options.insert(.new) }
    if $0 & 4 != 0 { options.insert(.prior) }
    return options
  }

  /// Sets a property, and changes it through its proxy.
  private func check<Proxy, Collection>(
    _ method: Case<Proxy>, _ proxy: (Library, String) -> Proxy, _ key: String,
    _ property: ReferenceWritableKeyPath<Library, Collection>, _ start: @autoclosure () -> Collection,
    isAtTheEnd: (Collection) -> Bool
  ) {
    if method.isReplayed {
      let (library, replay) = (Library(), Replay(method.start))
      library[keyPath: property] = start()
      replay.observe(library, key)
      method.body(proxy(library, key))
      #expect(Proxy.self == NSMutableSet.self ? replay.set == Set(method.end) : replay.list == method.end, "\(key)")
      #expect(replay.problem == nil && isAtTheEnd(library[keyPath: property]), "\(key)")
      return
    }
    for options in Self.allOptions {
      let (library, recorder) = (Library(), Recorder())
      library[keyPath: property] = start()
      let proxy = proxy(library, key)
      recorder.observe(library, key, options)
      method.body(proxy)
      var expected: [Change] = []
      if let change = method.change {
        if options.contains(.prior) { expected.append(change.with(options, isPrior: true)) }
        expected.append(change.with(options))
      }
      #expect(recorder.takeToMany() == expected, "\(key), options \(options.rawValue)")
      #expect(isAtTheEnd(library[keyPath: property]), "\(key): \(library[keyPath: property])")
    }
  }

  @Test(arguments: arrayMethods) func arrayMethod(_ method: Case<NSMutableArray>) {
    let proxy: (Library, String) -> NSMutableArray = { $0.mutableArrayValue(forKey: $1) }
    check(method, proxy, "numbers", \.numbers, method.start) { $0 == method.end }
    check(method, proxy, "array", \.array, NSArray(array: method.start)) { $0 as? [Int] == method.end }
    check(method, proxy, "heads", \.heads, method.start) { $0 == method.end }
    check(method, proxy, "maybe", \.maybe, method.start) { $0 == method.end }
    check(method, proxy, "mutableArray", \.mutableArray, NSMutableArray(array: method.start)) {
      $0 as? [Int] == method.end
    }
  }

  @Test(arguments: orderedSetMethods) func orderedSetMethod(_ method: Case<NSMutableOrderedSet>) {
    let proxy: (Library, String) -> NSMutableOrderedSet = { $0.mutableOrderedSetValue(forKey: $1) }
    check(method, proxy, "numbers", \.numbers, method.start) { $0 == method.end }
    check(method, proxy, "ordered", \.ordered, NSOrderedSet(array: method.start)) {
      $0.compactMap { $0 as? Int } == method.end
    }
    check(method, proxy, "mutableOrdered", \.mutableOrdered, NSMutableOrderedSet(array: method.start)) {
      $0.compactMap { $0 as? Int } == method.end
    }
  }

  @Test(arguments: setMethods) func setMethod(_ method: Case<NSMutableSet>) {
    let proxy: (Library, String) -> NSMutableSet = { $0.mutableSetValue(forKey: $1) }
    let end = Set(method.end)
    check(method, proxy, "numberSet", \.numberSet, Set(method.start)) { $0 == end }
    check(method, proxy, "maybeSet", \.maybeSet, Set(method.start)) { $0 == end }
    check(method, proxy, "set", \.set, NSSet(array: method.start)) { $0 as? Set<Int> == end }
    check(method, proxy, "mutableSet", \.mutableSet, NSMutableSet(array: method.start)) { $0 as? Set<Int> == end }
  }

  // MARK: Tables

  static let descending: @Sendable (Any, Any) -> ComparisonResult = {
    NSNumber(value: $1 as? Int ?? 0).compare(NSNumber(value: $0 as? Int ?? 0))
  }
  static var descriptors: [NSSortDescriptor] { [NSSortDescriptor(keyPath: \Int.self, ascending: true)] }
  static var boxed: [AnyObject] { [NSNumber(value: 8), NSNumber(value: 9)] }
}
