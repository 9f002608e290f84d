/// The kind of a change, and whether its notification precedes the change or is the initial one, in one number.
///
/// A change with few stored properties is cheaper to pass on: with more, the compiler asks the runtime how to destroy them.
@frozen
@usableFromInline
struct ChangeAttributes: Sendable {
  @usableFromInline let bits: UInt32

  /// Those of a property that was set.
  static let setting = ChangeAttributes(kind: .setting)
  /// Those of an initial call.
  static let initial = ChangeAttributes(kind: .setting, isInitial: true)

  @inlinable
  init(kind: NSKeyValueChange, isPrior: Bool = false, isInitial: Bool = false) {
    bits = UInt32(kind.rawValue) << 2 | (isInitial ? 2 : 0) | (isPrior ? 1 : 0)
  }

  @inlinable var kind: NSKeyValueChange { NSKeyValueChange(rawValue: UInt(bits >> 2)) ?? .setting }
  @inlinable var isPrior: Bool { bits & 1 != 0 }
  @inlinable var isInitial: Bool { bits & 2 != 0 }
}
