/// The keys of a key path.
struct SplitKeyPath {
  let all: [String]

  var first: String { all[0] }
  var rest: ArraySlice<String> { all.dropFirst() }

  init(_ keyPath: String) {
    guard keyPath.utf8.contains(UInt8(ascii: ".")) else {
      all = [keyPath]
      return
    }
    all = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}
