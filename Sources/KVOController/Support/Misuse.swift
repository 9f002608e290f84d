import Foundation

/// Traps for a programmer error, with a message of this form:
/// `Cannot observe the key path "size" of <Circle 0x…>, because it has no such key. Mark the property @Observed.`
func misuse(
  _ asked: String, because reason: String, remedy: String, site: CallSite? = nil, file: StaticString = #fileID,
  line: UInt = #line
) -> Never {
  fatalError("\(asked), because \(reason). \(remedy)", file: site?.fileID ?? file, line: site?.line ?? line)
}

/// Traps for a programmer error with Apple's message, which users know, and adds what to do instead.
func misuse(
  apple sentence: String, remedy: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError("\(sentence) \(remedy)", file: file, line: line)
}

/// Traps for a key that a value doesn't have, with the message of Apple's method for such keys.
func misuse(
  undefinedKey key: String, of value: String, in method: String = "valueForUndefinedKey:", remedy: String,
  file: StaticString = #fileID, line: UInt = #line
) -> Never {
  misuse(
    apple: "[<\(value)> \(method)]: this class is not key value coding-compliant for the key \(key).", remedy: remedy,
    file: file, line: line)
}

/// Traps if a key path that isn't empty has an empty key, as in `title..length`.
func requireKeys(_ keyPath: String, of object: AnyObject) {
  let dot = UInt8(ascii: ".")
  var former = dot
  for character in keyPath.utf8 {
    guard character != dot || former != dot else { break }
    former = character
  }
  guard former == dot else { return }
  misuse(
    undefinedKey: "", of: debugName(of: object),
    remedy: "In the key path \"\(keyPath)\" a key is empty. Name a key before and after each dot.")
}

/// Asserts for a programmer error that is ignored in release builds.
func misuseInDebugBuilds(
  _ asked: @autoclosure () -> String, because reason: @autoclosure () -> String, remedy: @autoclosure () -> String,
  site: CallSite? = nil, file: StaticString = #fileID, line: UInt = #line
) {
  assertionFailure("\(asked()), because \(reason()). \(remedy())", file: site?.fileID ?? file, line: site?.line ?? line)
}

/// Asserts that an argument isn't empty.
func misuseInDebugBuilds(ofEmpty argument: String, of object: Any?, at site: CallSite? = nil) {
  misuseInDebugBuilds(
    "Cannot observe \(object.flatMap(unwrapped).map { "<\(debugName(of: $0 as AnyObject))>" } ?? "nil")",
    because: "\(argument) is empty", remedy: "Name a key.", site: site)
}

/// A number of things in messages: `1 object`, `2 objects`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// The name of an object in messages: `A 0x…`.
func debugName(of object: AnyObject) -> String {
  requireNoLock("an object is described")
  return "\(String(describing: type(of: object))) \(debugAddress(of: object))"
}

/// A reference to an object in descriptions: `<A 0x…>`.
func debugReference(to object: AnyObject?, else missing: String) -> String {
  object.map { "<\(debugName(of: $0))>" } ?? missing
}

/// The address of an object in messages: `0x…`.
func debugAddress(of object: AnyObject) -> String {
  "0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
}

/// A place in a client's source.
@usableFromInline
typealias CallSite = (fileID: StaticString, line: UInt)

/// Tells the developer what is no error, but probably not what was meant: once about each subject, and in debug builds only.
enum DebugNotice {
  /// The place whose observation begins on this thread, in debug builds.
  static let site = TaskLocal<CallSite?>(wrappedValue: nil)

  #if DEBUG
  private static let subjects = LockedState<Set<String>>([])
  #endif

  /// - Parameter site: The place that the message begins with, if it is known.
  static func send(about subject: @autoclosure () -> String, at site: CallSite? = nil, _ message: () -> String) {
    #if DEBUG
    let subject = subject()
    guard subjects.withLock({ $0.insert(subject).inserted }) else { return }
    let line = site.map { "\($0.fileID):\($0.line): " } ?? ""
    FileHandle.standardError.write(Data((line + message() + "\n").utf8))
    #endif
  }

  /// The values of a property have no size, so that no assignment changes it.
  static func send(aboutUnchanging property: String, of type: Any.Type, _ valueType: Any.Type) {
    send(about: "\(type).\(property)") {
      "\(property) of \(type) can't change, because \(valueType) has only one value, so its observers aren't notified. "
        + "Observe a property of another type, such as a counter."
    }
  }

  /// An override of a property reads nothing that is observed.
  static func send(aboutOverride property: @autoclosure () -> String, of type: Any.Type, at site: CallSite?) {
    send(about: "\(type) overrides \(property())", at: site) {
      "\(type) overrides \(property()) without reading an @Observed property, so its observers aren't notified of changes. "
        + "Read super's property, or another one that is marked @Observed, if it can change."
    }
  }
}
