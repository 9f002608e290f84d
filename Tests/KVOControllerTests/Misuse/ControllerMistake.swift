import KVOController
import _KVOTestSupport

/// Every way to misuse the controller, with the message of the trap.
enum ControllerMistake: String, CaseIterable, Codable, Sendable {
  case observingAPlainValue, observingAnObjectOfAPlainClass
  case tellingAPlainObserverWithAContext, tellingAnObserverByAMethodOfAnotherClass
  case tellingAnObserverByAHandlerForAnotherClass
  case leavingAContextUnhandled
  case observingAPlainProperty, followingAPlainProperty
  case readingAnUndefinedKeyAtFirst, observingThroughACollection
  case bindingAPropertyOfAnotherObjectBothWays, bindingWithoutAnEnd
  case deliveringDistinctPriorCalls, deliveringWhatCannotBeCompared, deliveringAnyErrorDistinctly,
    coalescingWithoutAnActor

  /// Those that don't raise an exception of Objective-C where Foundation observes.
  static var trapping: [ControllerMistake] {
    #if canImport(ObjectiveC)
    let raising: [ControllerMistake] = [
      .observingAPlainValue, .leavingAContextUnhandled, .readingAnUndefinedKeyAtFirst, .observingThroughACollection,
    ]
    return allCases.filter { !raising.contains($0) }
    #else
    return allCases
    #endif
  }

  /// The message, as a regular expression.
  var sentence: String {
    switch self {
    case .observingAPlainValue:
      #"Cannot observe the key path "count" of a value of type String, because it is not observable on this "#
        + #"platform\. Inherit from KeyValueObject, and mark the property @Observed\."#
    case .observingAnObjectOfAPlainClass:
      #"Cannot observe the key path "changes" of a value of type PlainRecorder, because it is not observable on this "#
        + #"platform\. Inherit from KeyValueObject"#
    case .tellingAPlainObserverWithAContext:
      #"Cannot notify <PlainRecorder 0x[0-9a-f]+> of "radius" with a context, because its class has no "#
        + #"observeValue\(forKeyPath:of:change:context:\)\. Inherit from (KeyValue|NS)Object, or observe with"#
    case .tellingAnObserverByAMethodOfAnotherClass:
      #"Cannot notify <PlainRecorder 0x[0-9a-f]+>, because the handler for "radius" expects an observer of type "#
        + #"Recorder\. Use the observer's own class\."#
    case .tellingAnObserverByAHandlerForAnotherClass:
      #"Cannot notify <Recorder 0x[0-9a-f]+>, because the handler for \\Circle\.(radius|<\w+>) expects an observer of "#
        + #"type PlainRecorder\. Use the observer's own class\."#
    case .leavingAContextUnhandled:
      #"<Point: 0x[0-9a-f]+>: An -observeValueForKeyPath:ofObject:change:context: message was received but not "#
        + #"handled\.\nKey path: radius\nObserved object: <Circle 0x[0-9a-f]+>\n"#
    case .observingAPlainProperty, .followingAPlainProperty:
      #"Cannot observe the key path \\Song\..* of <Song 0x[0-9a-f]+>, because reading it reads no @Observed "#
        + #"property\. Mark the property @Observed, or list its key path in keyPaths"#
    case .readingAnUndefinedKeyAtFirst:
      #"\[<Circle 0x[0-9a-f]+> valueForUndefinedKey:\]: this class is not key value coding-compliant for the key "#
        + #"weight\. Mark the property @Observed, or list it in keyPaths\."#
    case .observingThroughACollection:
      #"\[<Array<Song>> addObserver:forKeyPath:options:context:\] is not supported\. Key path: title\. "#
        + #"Observe "parts" of <Song 0x[0-9a-f]+>, or "title" of each element\."#
    case .bindingAPropertyOfAnotherObjectBothWays:
      #"Cannot bind "\\Song\.next!\..*" of <Song 0x[0-9a-f]+> both ways, because that is a property of another object, which "#
        + #"may be replaced\. Call bindBothWays on the object that has the property\."#
    case .bindingWithoutAnEnd:
      #"Cannot go on with the binding <Song 0x[0-9a-f]+> -> plays \(initial, identifier: binding to \\Song\..*\), on the "#
        + #"thread of the change, because its assignments have changed one of both properties again, 100000 times in a row\."#
    case .deliveringDistinctPriorCalls:
      #"Cannot observe plays of <Song 0x[0-9a-f]+> with delivery: \.distinct, because a call before each change has its "#
        + #"counterpart after it\. Leave out \.prior\."#
    case .deliveringWhatCannotBeCompared:
      #"Cannot observe plays, handlers of <Unequal 0x[0-9a-f]+> with delivery: \.distinct, because values of type "#
        + #"Array<\(\) -> \(\)> can't be compared\. Make it Equatable, or compare in the handler\."#
    case .deliveringAnyErrorDistinctly:
      #"Cannot observe error of <Unequal 0x[0-9a-f]+> with delivery: \.distinct, because values of type Optional<Error> "#
        + #"can't be compared\."#
    case .coalescingWithoutAnActor:
      #"Cannot observe plays of <Song 0x[0-9a-f]+> with delivery: \.coalesced, because no actor could make "#
        + #"the call later\. Observe from the main actor, or another one\."#
    }
  }

  /// Commits the error.
  func make() {
    let (recorder, plain, circle) = (Recorder(), PlainRecorder(), Circle())
    let controller = KVOController(observer: recorder)
    let plainController = KVOController(observer: plain)
    switch self {
    case .observingAPlainValue: controller.observe("text", keyPath: "count") { _, _, _ in }
    case .observingAnObjectOfAPlainClass: controller.observe(plain, keyPath: "changes", context: nil)
    case .tellingAPlainObserverWithAContext: plainController.observe(circle, keyPaths: ["radius"], context: nil)
    case .tellingAnObserverByAMethodOfAnotherClass:
      plainController.observe(circle, keyPath: "radius", action: Recorder.redraw)
    case .tellingAnObserverByAHandlerForAnotherClass:
      controller.observe(circle, \.radius) { (_: PlainRecorder, _, _) in }
    case .leavingAContextUnhandled:
      let point = Point()
      point.kvoController.observe(circle, keyPath: "radius", context: nil)
      circle.radius = 1
    case .observingAPlainProperty: controller.observe(Song(), \.plain) { _, _ in }
    case .followingAPlainProperty: _ = controller.values(of: Song(), \.plain)
    case .readingAnUndefinedKeyAtFirst:
      controller.observe(circle, keyPath: "weight", options: [.initial, .new], context: nil)
    case .observingThroughACollection: controller.observe(Song(), keyPath: "parts.title") { _, _, _ in }
    case .bindingAPropertyOfAnotherObjectBothWays: Song().bindBothWays(Song(), \.title, with: \.next!.title)
    case .bindingWithoutAnEnd:
      let (left, right) = (Song(), Song())
      right.bind(left, \.plays, to: \.plays) { $0 + 1 }
      left.bind(right, \.plays, to: \.plays) { $0 + 1 }
    case .deliveringDistinctPriorCalls:
      controller.observe(Song(), \.plays, options: .prior, delivery: .distinct) { _, _ in }
    case .deliveringWhatCannotBeCompared:
      recorder.observe(Unequal(), [\.plays, \.handlers], delivery: .distinct) { _, _ in }
    case .deliveringAnyErrorDistinctly: recorder.observe(Unequal(), \.error, delivery: .distinct) { _, _, _ in }
    case .coalescingWithoutAnActor: controller.observe(Song(), \.plays, delivery: .coalesced) { _, _ in }
    }
    withExtendedLifetime((recorder, plain)) {}
  }
}

private final class Unequal: KeyValueObject {
  @Observed var plays = 0
  @Observed var handlers: [() -> Void] = []
  @Observed var error: (any Error)?
}
