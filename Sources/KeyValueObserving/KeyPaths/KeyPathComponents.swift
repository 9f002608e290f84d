/// The keys that a key path consists of.
struct KeyPathComponents {
  let all: [String]

  var first: String { all[0] }
  var rest: ArraySlice<String> { all.dropFirst() }

  init(_ keyPath: String) {
    all = keyPath.utf8.contains(UInt8(ascii: ".")) ? keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init) : [keyPath]
  }
}
