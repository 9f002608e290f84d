extension Group {
  /// Appending to an array in its property: nothing copies the array, unless somebody asks for the old value.
  static var appending: Group {
    Group("append to [Int], up to 100,000") {
      Case("plain", operations: 100_000) {
        PlainList()
      } work: { list in
        for value in 0..<100_000 { list.items.append(value); barrier() }
      }
      Case("unobserved", .beside("plain", atMost: 3), operations: 100_000) {
        ListModel()
      } work: { list in
        for value in 0..<100_000 { list.items.append(value); barrier() }
      }
      Case("observed by a block, []", .beside("plain"), operations: 100_000) {
        Watched(ListModel()) { $0.kvoController.observe($1, keyPath: "items") { _, _, _ in } }
      } work: { watched in
        for value in 0..<100_000 { watched.object.items.append(value); barrier() }
      }
      Case("observed by a block, [.new]", .beside("plain"), operations: 100_000) {
        Watched(ListModel()) { $0.kvoController.observe($1, keyPath: "items", options: .new) { _, _, _ in } }
      } work: { watched in
        for value in 0..<100_000 { watched.object.items.append(value); barrier() }
      }
    }
  }
}
