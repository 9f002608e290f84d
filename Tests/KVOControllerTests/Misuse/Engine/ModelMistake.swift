#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport

/// Ways to misuse models and their coding, with the message of the trap. Other suites of this folder have more.
enum ModelMistake: String, CaseIterable, Codable, Sendable {
  // Registration
  case removingWhatIsNotRegistered, leavingANotificationUnhandled, observingThroughACollection
  // Swift key paths
  case observingAPlainProperty, observingAPlainPropertyBehindAnObject, observingAValueThatIsNoObject
  case listingAKeyPathFromElsewhere
  // Coding
  case readingAnUndefinedKey, settingAnUndefinedKey, settingNilForANumber, settingAWrongType
  case settingAWrongTypeOfAnOptional
  case readingAKeyOfAPlainValue, settingAKeyOfAPlainValue
  // Operators
  case applyingAnUnknownOperator, applyingAnOperatorToNothing, addingWhatIsNoNumber, comparingWhatIsNot
  case joiningWhatIsNoArray, puttingWhatIsNotHashableIntoASet, settingThroughAnOperator
  case applyingAnOperatorToADictionary, observingAnUnknownOperator, observingAnOperatorOfNoCollection
  // Proxies
  case puttingAWrongTypeIntoACollection, reachingBeyondACollection, givingAnotherNumberOfObjects
  case askingForAnotherForm, askingForAProxyOfAPlainValue
  case shrinkingACollectionBeforeItsChange, shrinkingAFoundationCollectionBeforeItsChange

  /// The message, as a regular expression.
  var sentence: String {
    switch self {
    case .removingWhatIsNotRegistered:
      #"Cannot remove an observer <Recorder 0x[0-9a-f]+> for the key path "number" from <Node 0x[0-9a-f]+> because "#
        + #"it is not registered as an observer\. Remove each registration once, with the context"#
    case .leavingANotificationUnhandled:
      #"<KeyValueObject: 0x[0-9a-f]+>: An -observeValueForKeyPath:ofObject:change:context: message was received "#
        + #"but not handled\.\nKey path: number\nObserved object: <Node 0x[0-9a-f]+>\n"#
        + #"Change: \{kind = 1; new = 2;\}\nContext: 0x0\n Override observeValue"#
    case .observingThroughACollection:
      #"\[<Array<Node>> addObserver:forKeyPath:options:context:\] is not supported\. Key path: name\. "#
        + #"Observe "value" of <Box<Array<Node>> 0x[0-9a-f]+>, or "name" of each element\."#
    case .observingAPlainProperty:
      #"Cannot observe the key path \\Plain\..* of <Plain 0x[0-9a-f]+>, because reading it reads no @Observed "#
        + #"property\. Mark the property @Observed, or list"#
    case .observingAPlainPropertyBehindAnObject:
      #"Cannot observe the key path \\Plain\..* of <Plain 0x[0-9a-f]+>, because it leads to <Plain 0x[0-9a-f]+>, "#
        + #"of which it reads no @Observed property\. Mark"#
    case .observingAValueThatIsNoObject:
      #"Cannot observe the key path .* of a value of type NoObject, because it isn't a KeyValueObject\. Inherit"#
    case .listingAKeyPathFromElsewhere:
      #"Cannot use the key "label" of Misplaced, because keyPaths lists a key path for it that begins at "#
        + #"Stray\. Begin it at Misplaced\."#
    case .readingAnUndefinedKey:
      #"\[<Node 0x[0-9a-f]+> valueForUndefinedKey:\]: this class is not key value coding-compliant for the key "#
        + #"missing\. Mark the property @Observed"#
    case .settingAnUndefinedKey:
      #"\[<Node 0x[0-9a-f]+> setValue:forUndefinedKey:\]: this class is not key value coding-compliant for the key "#
        + #"missing\. Mark the property @Observed"#
    case .settingNilForANumber:
      #"\[<Node 0x[0-9a-f]+> setNilValueForKey\]: could not set nil as the value for the key number\. Make the"#
    case .settingAWrongType:
      #"Cannot set the value for the key "number" of <Node 0x[0-9a-f]+>, because it must be of type Int, but is of "#
        + #"type String\. Convert the value first\."#
    case .settingAWrongTypeOfAnOptional:
      #"Cannot set the value for the key "optional" of <Node 0x[0-9a-f]+>, because it must be of type Optional<Int>, "#
        + #"but is of type String\. Convert the value first\."#
    case .readingAKeyOfAPlainValue:
      #"\[<String> valueForUndefinedKey:\]: this class is not key value coding-compliant for the key length\. Use"#
    case .settingAKeyOfAPlainValue:
      #"\[<String> setValue:forUndefinedKey:\]: this class is not key value coding-compliant for the key length\. Set"#
    case .applyingAnUnknownOperator:
      #"\[<Array<Int>> valueForKeyPath:\]: this class does not implement the median operation\. "#
        + #"Key path: @median\.self\. Use one of the operators of collections: @avg, "#
    case .applyingAnOperatorToNothing:
      #"Cannot apply the operator @sum to a value of type Array<Int>, because it needs a key path to its right\. "#
        + #"Use @sum\.self for"#
    case .addingWhatIsNoNumber:
      #"Cannot apply the operator @sum to the values for the key path "self", because it takes numbers, but one of "#
        + #"them is of type String: a\. Use a key path that leads to numbers in all elements\."#
    case .comparingWhatIsNot:
      #"Cannot apply the operator @max to the values for the key path "self", because it takes values that can be "#
        + #"compared with each other, such as Int, but one of them is of type String: a\. Use a key path"#
    case .joiningWhatIsNoArray:
      #"Cannot apply the operator @unionOfArrays to the values for the key path "self", because it takes arrays, "#
        + #"but one of them is of type String: a\. Use a key path that leads to arrays"#
    case .puttingWhatIsNotHashableIntoASet:
      #"Cannot put a value of type Opaque into a set, because it isn't Hashable: Opaque\(\)\. Make the type Hashable\."#
    case .settingThroughAnOperator:
      #"Cannot set the value for the key path "value\.@count" of <Box<Array<Int>> 0x[0-9a-f]+>, because a value "#
        + #"can't be set through an operator such as @count\. Set the values"#
    case .applyingAnOperatorToADictionary:
      #"\[<Dictionary<String, Int>> valueForUndefinedKey:\]: this class is not key value coding-compliant for the "#
        + #"key @sum\. Use @count, @allKeys, or @allValues"#
    case .observingAnUnknownOperator:
      #"\[<Array<Int>> valueForKeyPath:\]: this class does not implement the foo operation\. Key path: @foo\. Use"#
    case .observingAnOperatorOfNoCollection:
      #"\[<String> valueForUndefinedKey:\]: this class is not key value coding-compliant for the key @count\. Use"#
    case .puttingAWrongTypeIntoACollection:
      #"Cannot put an object into the value for the key "items" of <Node 0x[0-9a-f]+>, because it must be of type "#
        + #"Int, but is of type String\. Convert the object first\."#
    case .reachingBeyondACollection:
      #"Cannot access the index 1 of the value for the key "items" of <Node 0x[0-9a-f]+>, because there is 1 "#
        + #"object\. Check the count first\."#
    case .givingAnotherNumberOfObjects:
      #"Cannot put 2 objects into the value for the key "items" of <Node 0x[0-9a-f]+>, because the number of "#
        + #"indexes is 1\. Pass one index for each object\."#
    case .askingForAnotherForm:
      #"Cannot return the value for the key "items" of <Node 0x[0-9a-f]+> by mutableSetValue\(forKey:\), because it "#
        + #"must be a set, but is of type Array<Int>\. Call the method for its type\."#
    case .askingForAProxyOfAPlainValue:
      #"Cannot return the value for the key path "name\.items" of <Node 0x[0-9a-f]+> as a mutable collection, because "#
        + #""items" would be a key of a String, which doesn't inherit from KeyValueObject\. Use a key path"#
    case .shrinkingACollectionBeforeItsChange:
      #"Cannot access the index 2 of the value for the key "items" of <Node 0x[0-9a-f]+>, because an observer has "#
        + #"changed it in its \.prior call, and there are 0 objects now\. Don't change the property"#
    case .shrinkingAFoundationCollectionBeforeItsChange:
      #"Cannot access the index 0 of the value for the key "value" of <Box<NSArray> 0x[0-9a-f]+>, because an observer "#
        + #"has changed it in its \.prior call, and there are 0 objects now\. Don't change the property"#
    }
  }
}
#endif
