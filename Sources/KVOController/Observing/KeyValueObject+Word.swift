import CKeyValueObserving

// The word of an object, in which functions in C find the address of its info and four bits.

extension KeyValueObject {
  /// The word of a new object, which says whether its class conforms to `Observable`.
  static var initialWord: UInt {
    let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(self))).unsafelyUnwrapped
    let answer = kvo_answer(address)
    if answer > 1 { return findInitialWord(address) }
    return answer == 1 ? UInt(KVO_OBSERVABLE) : 0
  }

  @inline(never)
  private static func findInitialWord(_ address: UnsafeRawPointer) -> UInt {
    requireWordInPlace
    hearsOfSharedObservers
    let conforms = conformsToObservable
    kvo_set_answer(address, conforms)
    return conforms ? UInt(KVO_OBSERVABLE) : 0
  }

  /// Checks once that functions in C find the word.
  private static let requireWordInPlace: Void = {
    // Without reflection metadata nothing is known.
    let offset = StoredProperty.declared(by: KeyValueObject.self)?.first { $0.name == "word" }?.offset
    precondition(offset == nil || offset == kvo_word_offset(), "KeyValueObject has another layout than expected.")
  }()
}
