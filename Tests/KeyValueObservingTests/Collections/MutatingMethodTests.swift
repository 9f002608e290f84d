import KeyValueObserving
import Testing
import _KVOTestSupport

/// Every mutating method of the proxies, with the exact dictionaries for all options.
@Suite struct MutatingMethodTests {
  /// A method, what it is called on, and what comes of it.
  struct Case<Proxy>: CustomTestStringConvertible, @unchecked Sendable {
    let name: String
    let start: [Int]
    let end: [Int]
    let change: Change?
    let body: (Proxy) -> Void

    init(
      _ name: String, from start: [Int] = [3, 1, 2], to end: [Int], _ change: Change?,
      _ body: @escaping (Proxy) -> Void
    ) {
      self.name = name
      self.start = start
      self.end = end
      self.change = change
      self.body = body
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

  private func check<Proxy>(
    _ method: Case<Proxy>, _ key: String, _ proxy: (Library) -> Proxy, set: (Library) -> Void,
    end: (Library) -> Bool
  ) {
    for options in Self.allOptions {
      let (library, recorder) = (Library(), Recorder())
      set(library)
      let proxy = proxy(library)
      recorder.observe(library, key, options)
      method.body(proxy)
      var expected: [Change] = []
      if let change = method.change {
        if options.contains(.prior) { expected.append(change.with(options, isPrior: true)) }
        expected.append(change.with(options))
      }
      #expect(recorder.takeToMany() == expected, "\(key), options \(options.rawValue)")
      #expect(end(library), "\(key): \(library.value(forKey: key) ?? "nil")")
    }
  }

  @Test(arguments: arrayMethods) func arrayMethod(_ method: Case<NSMutableArray>) {
    check(method, "numbers", { $0.mutableArrayValue(forKey: "numbers") }) {
      $0.numbers = method.start
    } end: {
      $0.numbers == method.end
    }
    check(method, "array", { $0.mutableArrayValue(forKey: "array") }) {
      $0.array = NSArray(array: method.start)
    } end: {
      $0.array as? [Int] == method.end
    }
    check(method, "mutableArray", { $0.mutableArrayValue(forKey: "mutableArray") }) {
      $0.mutableArray = NSMutableArray(array: method.start)
    } end: {
      $0.mutableArray as? [Int] == method.end
    }
    check(method, "heads", { $0.mutableArrayValue(forKey: "heads") }) {
      $0.heads = method.start
    } end: {
      $0.heads == method.end
    }
    check(method, "maybe", { $0.mutableArrayValue(forKey: "maybe") }) {
      $0.maybe = method.start
    } end: {
      $0.maybe == method.end
    }
  }

  @Test(arguments: orderedSetMethods) func orderedSetMethod(_ method: Case<NSMutableOrderedSet>) {
    check(method, "numbers", { $0.mutableOrderedSetValue(forKey: "numbers") }) {
      $0.numbers = method.start
    } end: {
      $0.numbers == method.end
    }
    check(method, "ordered", { $0.mutableOrderedSetValue(forKey: "ordered") }) {
      $0.ordered = NSOrderedSet(array: method.start)
    } end: {
      $0.ordered.compactMap { $0 as? Int } == method.end
    }
    check(method, "mutableOrdered", { $0.mutableOrderedSetValue(forKey: "mutableOrdered") }) {
      $0.mutableOrdered = NSMutableOrderedSet(array: method.start)
    } end: {
      $0.mutableOrdered.compactMap { $0 as? Int } == method.end
    }
  }

  @Test(arguments: setMethods) func setMethod(_ method: Case<NSMutableSet>) {
    check(method, "numberSet", { $0.mutableSetValue(forKey: "numberSet") }) {
      $0.numberSet = Set(method.start)
    } end: {
      $0.numberSet == Set(method.end)
    }
    check(method, "maybeSet", { $0.mutableSetValue(forKey: "maybeSet") }) {
      $0.maybeSet = Set(method.start)
    } end: {
      $0.maybeSet == Set(method.end)
    }
    check(method, "set", { $0.mutableSetValue(forKey: "set") }) {
      $0.set = NSSet(array: method.start)
    } end: {
      $0.set as? Set<Int> == Set(method.end)
    }
    check(method, "mutableSet", { $0.mutableSetValue(forKey: "mutableSet") }) {
      $0.mutableSet = NSMutableSet(array: method.start)
    } end: {
      $0.mutableSet as? Set<Int> == Set(method.end)
    }
  }

  // MARK: Tables

  static let descending: @Sendable (Any, Any) -> ComparisonResult = {
    NSNumber(value: $1 as? Int ?? 0).compare(NSNumber(value: $0 as? Int ?? 0))
  }
  static var descriptors: [NSSortDescriptor] { [NSSortDescriptor(keyPath: \Int.self, ascending: true)] }
  static var boxed: [AnyObject] { [NSNumber(value: 8), NSNumber(value: 9)] }
}
