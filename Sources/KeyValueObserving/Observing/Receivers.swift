#if !canImport(ObjectiveC)
/// Those who are to hear that a property is replaced, where that is all there is to it.
///
/// Most changes are of this kind: nobody is called before them, and nobody sees another value than the property's own.
/// Then the values needn't be read by the engine: the setter has both in its hands. It has the lock on the object's
/// properties while it replaces the one by the other.
///
/// The links hold the observances; what else this refers to lives at least as long as the setter runs.
@usableFromInline
struct Receivers {
  private let info: Unmanaged<ObservationInfo>
  private let links: [Link]
  /// The field of the property; nil if there are no links.
  private let field: Unmanaged<ObservedField>?

  @inline(__always)
  init(_ links: [Link], of field: Unmanaged<ObservedField>?, _ info: ObservationInfo) {
    self.info = .passUnretained(info)
    self.links = links
    self.field = field
  }

  @usableFromInline
  func unlockStorage() {
    info._withUnsafeGuaranteedRef { $0.unlockStorage() }
  }

  /// Calls those who still are to be called, the last one first.
  ///
  /// - Parameters:
  ///   - old: Where the former `Observed` is now.
  ///   - new: Where a copy of the present one is.
  @usableFromInline
  func receive(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, of object: KeyValueObject) {
    guard let field else { return }
    let old = ChangedValue.lent(LentValue(old, of: field))
    let new = ChangedValue.lent(LentValue(new, of: field))
    links.withUnsafeBufferPointer { links in
      for index in links.indices.reversed() {
        links[index].observance.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef { observance in
          observance.receive(old, new, of: object, info)
        }
      }
    }
    info._withUnsafeGuaranteedRef { $0.endReading() }
  }
}
#endif
