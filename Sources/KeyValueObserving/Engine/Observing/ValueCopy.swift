#if !canImport(ObjectiveC)
/// A copy of the value at the end of a path.
struct ValueCopy {
  static let size = 64
  static let alignment = 16

  /// Where the copy is made; nil if none is needed.
  private let memory: UnsafeMutableRawPointer?
  /// The field whose value was copied; nil if there is no object at the end.
  private var field: Unmanaged<ObservedField>?

  init(_ memory: UnsafeMutableRawPointer?) {
    self.memory = memory
  }

  /// Whether the key's value fits, if a copy is needed.
  func fits(_ key: Unmanaged<ObservedKey>) -> Bool {
    memory == nil
      || key._withUnsafeGuaranteedRef { $0.field?.fits(size: Self.size, alignment: Self.alignment) ?? false }
  }

  /// Where the key's value is in `object`, if a copy is needed. Traps if the property is being modified.
  func source(_ key: Unmanaged<ObservedKey>, of object: Unmanaged<KeyValueObject>) -> UnsafeRawPointer? {
    guard memory != nil, let field = key._withUnsafeGuaranteedRef({ $0.plainField }) else { return nil }
    return object._withUnsafeGuaranteedRef { object in
      field._withUnsafeGuaranteedRef { UnsafeRawPointer($0.readAddress(in: object)) }
    }
  }

  /// Copies the value at an address that ``source(_:of:)`` has returned. The caller prevents setters from replacing it.
  mutating func copy(_ key: Unmanaged<ObservedKey>, at source: UnsafeRawPointer?) {
    guard let memory, let source else { return }
    field = key._withUnsafeGuaranteedRef { $0.plainField }
    field?._withUnsafeGuaranteedRef { $0.initialize(memory, at: source) }
  }

  func lend(to body: (BorrowedValue) -> Void) {
    guard let memory else { return body(.notRequested) }
    guard let field else { return withUnsafePointer(to: ChangedValue.null) { body(BorrowedValue($0)) } }
    body(BorrowedValue(address: memory, field: field))
  }

  /// Releases what was copied. May run foreign code.
  mutating func end() {
    guard let memory else { return }
    field?._withUnsafeGuaranteedRef { $0.deinitialize(memory) }
    field = nil
  }
}
#endif
