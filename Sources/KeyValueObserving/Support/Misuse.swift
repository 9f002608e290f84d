/// Stops the process because the caller made a mistake, in a sentence that is always of this form:
/// `Cannot observe the key path "size" of <Circle 0x…>, because it has no such key. Mark the property @Observed.`
///
/// - Parameters:
///   - asked: What was asked, and of which object: `Cannot …`.
///   - reason: Why it can't be.
///   - remedy: What to do instead: a sentence of its own.
package func misuse(
  _ asked: String, because reason: String, remedy: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError("\(asked), because \(reason). \(remedy)", file: file, line: line)
}

/// Stops the process with Apple's sentence, by which users know the mistake, and adds what to do instead.
package func misuse(
  apple sentence: String, remedy: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError("\(sentence) \(remedy)", file: file, line: line)
}

/// Stops debug builds because the caller made a mistake that does nothing in release builds.
package func misuseInDebugBuilds(
  _ asked: @autoclosure () -> String, because reason: @autoclosure () -> String, remedy: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  assertionFailure("\(asked()), because \(reason()). \(remedy())", file: file, line: line)
}

/// `A 0x…`: how the sentences about misuse name an object.
package func name(_ object: AnyObject) -> String {
  "\(String(describing: type(of: object))) \(address(object))"
}

/// `0x…`: the address of an object.
package func address(_ object: AnyObject) -> String {
  "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)
}
