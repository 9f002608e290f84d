// What the samples of the page on SwiftUI take from SwiftUI and AVFoundation, and from its first sample.
import Observation

final class Recipe: KeyValueObject, Observable {
  @Observed var name = ""; @Observed var servings = 2; var summary: String { "\(name) for \(servings)" }
}
final class AVPlayer: KeyValueObject {
  @Observed var timeControlStatus = Status.paused; @Observed var currentItem: Item?
}
enum Status { case paused, playing }
final class Item: KeyValueObject { @Observed var duration = CMTime() }
typealias CMTime = Double
protocol View { associatedtype Body; var body: Body { get } }
struct Text: View { init(_ text: String) {}; var body: Int { 0 } }
struct TextField: View { init(_ title: String, text: String) {}; var body: Int { 0 } }
@propertyWrapper struct State<Value> { var wrappedValue: Value }
@dynamicMemberLookup @propertyWrapper struct Bindable<Model: AnyObject & Observable> {
  var wrappedValue: Model
  var projectedValue: Self { self }
  subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Model, Value>) -> Value {
    wrappedValue[keyPath: keyPath]
  }
}
