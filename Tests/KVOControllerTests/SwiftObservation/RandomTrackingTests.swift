#if canImport(Observation)
import KVOController
import _KVOTestSupport
import Observation
import _RandomPrograms
import Testing

/// Trackers alongside observers: a tracker fires if, and only if, something that it has read changes.
@Suite(.watched) struct RandomTrackingTests {
  @Test func trackersFireExactlyWhenWhatTheyHaveReadChanges() {
    let failure = RandomRun.failure(operations: 20_000) { choices, steps in
      var world = TrackingWorld(choices)
      defer { world.end() }
      return steps.firstFailure {
        let operation = world.step()
        return world.difference().map { "\(operation): \($0)" }
      }
    }
    #expect(failure == nil, "\(failure ?? "")")
  }
}

/// Documents, what is tracked of them, and what should have fired.
private struct TrackingWorld {
  /// A key of a document, which is distinguished from all others, including past ones.
  struct Property: Hashable {
    let document: ObjectIdentifier
    let key: String
  }

  /// The keys that one tracker has read since it was armed.
  struct Armed {
    let tracking: Tracking
    let reads: Set<Property>
    /// Documents that were read, retained so that their identities aren't reused.
    let identities: [WeakDocument]
    var mustHaveFired = false
  }

  struct WeakDocument {
    // Keeps the memory, not the document.
    unowned let document: AnyObject
  }

  private var choices: Choices
  private var documents = (0..<4).map { _ in Report() }
  private var drafts = (0..<2).map { _ in Draft() }
  private var trackers: [Armed] = []
  private var registrations: [(document: Int, key: String, observer: Deaf)] = []

  init(_ choices: Choices) { self.choices = choices }

  /// Performs one operation, and returns its name.
  mutating func step() -> String {
    switch choices.below(12) {
    case 0...3: return arm()
    case 4: return observe()
    case 5: return unobserve()
    case 6 where choices.below(4) == 0: return renew()
    default: return change()
    }
  }

  /// The first tracker that fired, or didn't, against what it has read.
  mutating func difference() -> String? {
    for armed in trackers where (armed.tracking.count > 0) != armed.mustHaveFired {
      let keys = armed.reads.map(\.key).sorted().joined(separator: ", ")
      return "A tracker of \(keys) " + (armed.mustHaveFired ? "has not fired" : "has fired")
    }
    trackers.removeAll(where: \.mustHaveFired)
    if trackers.count > 12 { trackers.removeFirst(6) }
    return nil
  }

  mutating func end() {
    while !registrations.isEmpty { _ = unobserve() }
  }

  // MARK: Reading

  private mutating func arm() -> String {
    let tracking = Tracking()
    var plan: [(Int, Int)] = []
    for _ in 0...choices.below(3) { plan.append((choices.below(documents.count), choices.below(13))) }
    let reads = tracking.track {
      plan.reduce(into: Set<Property>()) { $0.formUnion(read(documents[$1.0], $1.1)) }
    }
    // Reads without tracking, which must not matter.
    _ = read(documents[choices.below(documents.count)], choices.below(13))
    trackers.append(Armed(tracking: tracking, reads: reads, identities: documents.map { WeakDocument(document: $0) }))
    return "arm \(reads.map(\.key))"
  }

  private func properties(_ document: Report, _ keys: String...) -> Set<Property> {
    Set(keys.map { Property(document: ObjectIdentifier(document), key: $0) })
  }

  /// Reads in one of many ways. Gives what was read.
  private func read(_ document: Report, _ way: Int) -> Set<Property> {
    switch way {
    case 0:
      _ = document.title
      return properties(document, "title")
    case 1:
      _ = document.pages
      return properties(document, "pages")
    case 2:
      _ = document.words
      return properties(document, "words")
    case 3:
      _ = document.mutableArrayValue(forKey: "words").count
      return properties(document, "words")
    case 4:
      _ = document.mutableSetValue(forKey: "labels").count
      return properties(document, "labels")
    case 5:
      _ = document.subtitle
      return properties(document, "subtitle")
    case 6:
      _ = document.value(forKey: "subtitle")
      return properties(document, "subtitle")
    case 7:
      _ = document.summary
      return properties(document, "title", "pages")
    case 8:
      _ = document.value(forKey: "summary")
      return properties(document, "summary", "title", "pages")
    case 9:
      _ = document.value(forKey: "progress")
      return properties(document, "progress", "draft")
    case 10:
      _ = document.value(forKey: "note")
      return properties(document, "note")
    case 11:
      _ = document.revision
      return properties(document, "revision")
    default:
      _ = document.author
      return properties(document, "author")
    }
  }

  // MARK: Changing

  private mutating func change() -> String {
    let document = documents[choices.below(documents.count)]
    let number = choices.below(3)
    let way = choices.below(19)
    let changed = change(document, way, number)
    for index in trackers.indices where !trackers[index].reads.isDisjoint(with: changed) {
      trackers[index].mustHaveFired = true
    }
    return "change \(way) of \(changed.map(\.key))"
  }

  /// Changes in one of many ways. Gives what that changed.
  private mutating func change(_ document: Report, _ way: Int, _ number: Int) -> Set<Property> {
    let title = properties(document, "title", "subtitle", "summary")
    let pages = properties(document, "pages", "summary")
    let words = properties(document, "words")
    let labels = properties(document, "labels")
    switch way {
    case 0:
      document.title = "\(number)"
      return title
    case 1:
      document.setValue("\(number)", forKey: "title")
      return title
    case 2:
      document.title.append("a")
      return title
    case 3:
      document.summary = "\(number)"
      return title
    case 4:
      document.setValue("\(number)", forKey: "summary")
      return title
    case 5:
      document.pages += number
      return pages
    case 6:
      document.setValue(NSNumber(value: number), forKey: "pages")
      return pages
    case 7:
      document.willChangeValue(forKey: "pages")
      document.didChangeValue(forKey: "pages")
      return pages
    case 8:
      document.words.append("\(number)")
      return words
    case 9:
      document.mutableArrayValue(forKey: "words").add("\(number)")
      return words
    case 10:
      document.mutableArrayValue(forKey: "words").setArray([])
      return words
    case 11:
      document.labels = ["\(number)"]
      return labels
    case 12:
      document.mutableSetValue(forKey: "labels").add("\(number)")
      return labels
    case 13:
      document.subtitle = "\(number)"
      return properties(document, "subtitle")
    case 14:
      document.draft = number == 0 ? nil : drafts[number - 1]
      return properties(document, "draft", "progress")
    case 15:
      let draft = drafts[number % drafts.count]
      draft.progress += 1
      return documents.filter { $0.draft === draft }.reduce(into: []) { $0.formUnion(properties($1, "progress")) }
    case 16:
      document.setValue("\(number)", forKey: "note")
      return properties(document, "note")
    case 17:
      document.revision = number
      return properties(document, "revision")
    default:
      document.author = "\(number)"
      return properties(document, "author")
    }
  }

  // MARK: Observers

  private mutating func observe() -> String {
    let keys = ["title", "pages", "words", "labels", "subtitle", "summary", "progress", "note", "draft.progress"]
    let (document, key, observer) = (choices.below(documents.count), choices.pick(keys), Deaf())
    let options: [NSKeyValueObservingOptions] = [[], [.new], [.old, .new], [.old, .new, .prior]]
    observer.observe(documents[document], key, choices.pick(options))
    registrations.append((document, key, observer))
    return "observe \(key)"
  }

  private mutating func unobserve() -> String {
    guard !registrations.isEmpty else { return "nothing" }
    let (document, key, observer) = registrations.remove(at: choices.below(registrations.count))
    observer.unobserve(documents[document], key)
    return "unobserve \(key)"
  }

  /// Lets a document go, with whatever tracks and observes it.
  private mutating func renew() -> String {
    let index = choices.below(documents.count)
    registrations.removeAll { $0.document == index }
    documents[index] = Report()
    return "renew"
  }
}
#endif
