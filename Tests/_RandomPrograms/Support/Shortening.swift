/// A list without those of its elements that a property doesn't need (delta debugging): first large parts are left out,
/// then smaller ones, and at last one by one, until none can be spared.
func shortened<Element>(_ elements: [Element], while fails: ([Element]) -> Bool) -> [Element] {
  var elements = elements
  var size = max(elements.count / 2, 1)
  while !elements.isEmpty {
    let before = elements.count
    var end = elements.count
    while end > 0 {
      let start = max(end - size, 0)
      var fewer = elements
      fewer.removeSubrange(start..<end)
      if fails(fewer) { elements = fewer }
      end = start
    }
    if size == 1 && elements.count == before { break }
    size = max(size / 2, 1)
  }
  return elements
}
