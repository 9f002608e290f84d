/// Stops the process because the caller made a mistake; the sentence names the object, the key path and the remedy.
package func misuse(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  fatalError(sentence, file: file, line: line)
}

/// `A 0x…`: how the sentences about misuse name an object.
package func name(_ object: AnyObject) -> String {
  "\(String(describing: type(of: object))) \(address(object))"
}

/// `0x…`: the address of an object.
package func address(_ object: AnyObject) -> String {
  "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)
}
