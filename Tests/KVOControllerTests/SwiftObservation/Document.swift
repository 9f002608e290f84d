#if canImport(Observation)
import KVOController
import Observation

/// A model for Key-Value Observing and for Observation.
class Document: KeyValueObject, Observable, @unchecked Sendable {
  @Observed var title = ""
  @Observed var pages = 0
  @Observed var words: [String] = []
  @Observed var labels: Set<String> = []
  @Observed var nothing: Void = ()
  @Observed var next: Document?
  @Observed var draft: Draft?
  /// Depends on the title by its declaration only.
  @Observed var subtitle = ""
  /// Notifies manually.
  @Observed var revision = 0
  /// Notifies manually, and has no observed storage.
  var note = ""
  /// Runs at the end of this object.
  var whenReleased: ((Document) -> Void)?

  var summary: String {
    get { "\(title), \(pages) pages" }
    set { title = newValue }
  }

  /// Reads nothing that Observation sees: a draft's class doesn't conform to `Observable`.
  var progress: Int { draft?.progress ?? 0 }

  deinit { whenReleased?(self) }

  override class var keyPaths: [String: AnyKeyPath] {
    ["summary": \Document.summary, "note": \Document.note, "progress": \Document.progress]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "summary": ["title", "pages"]
    case "subtitle": ["title"]
    case "progress": ["draft.progress"]
    default: super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key != "revision" && super.automaticallyNotifiesObservers(forKey: key)
  }
}

/// A subclass, whose class conforms because its superclass does.
final class Report: Document, @unchecked Sendable {
  @Observed var author = ""
}

/// A model for Key-Value Observing only.
class Draft: KeyValueObject, @unchecked Sendable {
  @Observed var progress = 0
}

/// A subclass that conforms, of a class that doesn't.
final class TrackedDraft: Draft, Observable, @unchecked Sendable {
  @Observed var comment = ""
}

/// A generic model, whose key paths are created again each time.
final class Holder<Value>: KeyValueObject, Observable, @unchecked Sendable {
  @Observed var value: Value

  init(_ value: Value) { self.value = value }
}
#endif
