/// The places that edits come down to, which are the same in both worlds.
extension Operation.ArrayEdit {
  /// Places for so many insertions, in ascending order.
  static func places(_ places: [Int], inserting count: Int, into length: Int) -> [Int] {
    var result: [Int] = []
    for offset in 0..<count {
      let low = (result.last ?? -1) + 1
      let wanted = offset < places.count ? places[offset] : 0
      result.append(low + wanted % (length + offset - low + 1))
    }
    return result
  }

  /// Places in what is there, each once, in ascending order.
  static func places(_ places: [Int], in length: Int) -> [Int] {
    length == 0 ? [] : Set(places.map { $0 % length }).sorted()
  }

  /// Operands for so many places: from the start again once they are used up.
  static func operands(_ operands: [Operand], for count: Int) -> [Operand] {
    operands.isEmpty ? [] : (0..<count).map { operands[$0 % operands.count] }
  }
}

extension Operation.OrderedSetEdit {
  /// The same as an edit of an array, and whether that keeps the elements unique, without which nothing happens. Nil
  /// where there is nothing to edit.
  func arrayEdit(_ values: [Int]) -> (edit: Operation.ArrayEdit, isUnique: Bool)? {
    switch self {
    case .add(let number): return (.add([.int(number)]), !values.contains(number))
    case .insert(let number, let place):
      return (.insert([.int(number)], at: [place]), !values.contains(number))
    case .remove(let place): return values.isEmpty ? nil : (.remove(at: [place]), true)
    case .replace(let place, let number):
      guard !values.isEmpty else { return nil }
      let place = place % values.count
      return (.replace(at: [place], with: [.int(number)]), values[place] == number || !values.contains(number))
    }
  }
}

extension Operation.Mutation {
  var key: Key {
    switch self {
    case .add: .number
    case .addToMaybe: .maybe
    case .appendItem, .popItem, .sortItems: .items
    case .appendKid: .kids
    case .insertTag: .tags
    }
  }
}

extension Operand {
  var int: Int? { if case .int(let number) = self { number } else { nil } }
  var ints: [Int] { if case .ints(let numbers) = self { numbers } else { [] } }
  var text: String { if case .text(let text) = self { text } else { "" } }
}
