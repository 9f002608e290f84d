/// The source of a random program's decisions: a seed, or bytes from a fuzzer.
package struct Choices {
  private enum Source {
    case seed(RandomNumbers)
    case bytes(ArraySlice<UInt8>)
  }

  private var source: Source

  package init(seed: UInt64) {
    source = .seed(RandomNumbers(seed: seed))
  }

  init(bytes: [UInt8]) {
    source = .bytes(bytes[...])
  }

  /// Whether there is nothing left to decide from.
  var isExhausted: Bool {
    if case .bytes(let bytes) = source { bytes.isEmpty } else { false }
  }

  /// A number from 0; always 0 once the bytes are used up.
  package mutating func below(_ count: Int) -> Int {
    switch source {
    case .seed(var numbers):
      let number = Int(truncatingIfNeeded: numbers.next() >> 33) % count
      source = .seed(numbers)
      return number
    case .bytes(var bytes):
      let number = Int(bytes.popFirst() ?? 0) % count
      source = .bytes(bytes)
      return number
    }
  }

  /// A number in a range of fewer than 2³² ones.
  package mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + (below(1 << 16) << 16 + below(1 << 16)) % range.count
  }

  package mutating func isOne(in count: Int) -> Bool { below(count) == 0 }

  package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// Up to so many numbers.
  package mutating func numbers(upTo count: Int, below limit: Int = 5) -> [Int] {
    (0..<below(count + 1)).map { _ in below(limit) }
  }
}
