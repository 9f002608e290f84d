extension Group {
  /// Appending to an array in its property. The array isn't copied, unless an observer requests the old value.
  static var appending: Group {
    Group("append to an [Int]") {
      Case("100,000 times, plain", operations: 100_000) {
        PlainList()
      } work: { list in
        for value in 0..<100_000 { list.items.append(value); barrier() }
      }
      Case("100,000 times, unobserved", .beside("100,000 times, plain", atMost: 6), operations: 100_000) {
        ListModel()
      } work: { list in
        for value in 0..<100_000 { list.items.append(value); barrier() }
      }
      Case("100,000 times, observed by a block, []", .beside("100,000 times, plain"), operations: 100_000) {
        Watched(ListModel()) { $0.kvoController.observe($1, keyPath: "items") { _, _, _ in } }
      } work: { watched in
        for value in 0..<100_000 { watched.object.items.append(value); barrier() }
      }
      Case("100,000 times, observed by a block, [.new]", .beside("100,000 times, plain"), operations: 100_000) {
        Watched(ListModel()) { $0.kvoController.observe($1, keyPath: "items", options: .new) { _, _, _ in } }
      } work: { watched in
        for value in 0..<100_000 { watched.object.items.append(value); barrier() }
      }
      // The old value is a second reference to the array, so that appending copies it.
      Case("to 100,000, hand with the old value", operations: 10) {
        CopiedList()
      } work: { list in
        for value in 0..<10 { list.items.append(value); barrier() }
      }
      Case(
        "to 100,000, observed by a block, [.old, .new]", .beside("to 100,000, hand with the old value"), operations: 10
      ) {
        let list = ListModel()
        list.items = Array(0..<100_000)
        return Watched(list) { $0.observe($1, "items") }
      } work: { watched in
        for value in 0..<10 { watched.object.items.append(value); barrier() }
      }
    }
  }
}
