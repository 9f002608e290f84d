import KVOController
import Testing
import _KVOTestSupport

/// Classes that say by typed key paths what their keys depend on.
@Suite struct CustomizationTests {
  final class Address: KeyValueObject, @unchecked Sendable {
    @Observed var city = ""
  }

  class Person: KeyValueObject, NSKeyValueObservingCustomization, @unchecked Sendable {
    @Observed var first = ""
    @Observed var last = ""
    @Observed var secret = 0
    @Observed var address: Address?
    @Observed var mirror = ""
    var fullName: String { "\(first) \(last)" }
    var greeting: String { "Dear \(fullName)" }
    var label: String { "\(first), \(address?.city ?? "nowhere")" }

    override class var keyPaths: [String: AnyKeyPath] {
      ["fullName": \Person.fullName, "greeting": \Person.greeting, "label": \Person.label]
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "fullName" ? ["last"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    class func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
      switch key {
      case \Person.fullName: [\Person.first]
      case \Person.greeting: [\Person.fullName]
      case \Person.label: [\Person.first, \Person.address?.city]
      case \Person.mirror: [\Person.first]
      default: []
      }
    }

    class func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool {
      key != \Person.secret
    }
  }

  final class Employee: Person, @unchecked Sendable {
    @Observed var title = ""
    var card: String { "\(title) \(fullName)" }

    override class var keyPaths: [String: AnyKeyPath] { ["card": \Employee.card] }

    override class func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
      key == \Employee.card ? [\Employee.title, \Employee.fullName] : super.keyPathsAffectingValue(for: key)
    }
  }

  let person = Person()
  let recorder = Recorder()

  @Test func whatItNamesAddsToWhatIsNamedByName() {
    // All calls are made on this thread.
    nonisolated(unsafe) var names: [String?] = []
    let token = person.observe(\.fullName, options: .new) { _, change in names.append(change.newValue) }
    person.first = "Ada"
    person.last = "Lovelace"
    #expect(names == ["Ada ", "Ada Lovelace"])
    token.invalidate()
  }

  @Test func declaredKeyIsCustomizedByKeyPathEvenIfObservedByName() {
    recorder.observe(person, "fullName", .new)
    person.first = "Ada"
    #expect(recorder.take() == [.setting(new: "Ada ")])
  }

  @Test func dependenciesOfDependenciesCount() {
    recorder.observe(person, "greeting", [.old, .new])
    person.first = "Ada"
    person.last = "Lovelace"
    #expect(
      recorder.take() == [
        .setting(new: "Dear Ada ", old: "Dear  "), .setting(new: "Dear Ada Lovelace", old: "Dear Ada "),
      ])
  }

  @Test func pathsThroughObjectsAreFollowed() {
    recorder.observe(person, "label", .new)
    person.address = Address()
    person.address?.city = "London"
    let former = person.address
    person.address = nil
    former?.city = "silent"
    person.first = "Ada"
    #expect(
      recorder.take() == [
        .setting(new: ", "), .setting(new: ", London"), .setting(new: ", nowhere"), .setting(new: "Ada, nowhere"),
      ])
  }

  @Test func anObservedPropertyMayDependOnAnother() {
    nonisolated(unsafe) var count = 0
    let token = person.observe(\.mirror) { _, _ in count += 1 }
    person.first = "Ada"
    person.mirror = "x"
    #expect(count == 2)
    token.invalidate()
  }

  @Test func aKeyMayBeExemptFromAutomaticNotification() {
    nonisolated(unsafe) var numbers: [Int?] = []
    let token = person.observe(\.secret, options: .new) { _, change in numbers.append(change.newValue) }
    person.secret = 1
    #expect(numbers == [])
    person.willChangeValue(for: \.secret)
    person.secret = 2
    person.didChangeValue(for: \.secret)
    #expect(numbers == [2])
    token.invalidate()
  }

  @Test func aSubclassAddsToWhatItsSuperclassSays() {
    let employee = Employee()
    recorder.observe(employee, "card", .new)
    employee.title = "Countess"
    employee.first = "Ada"
    employee.last = "Lovelace"
    #expect(
      recorder.take() == [
        .setting(new: "Countess  "), .setting(new: "Countess Ada "), .setting(new: "Countess Ada Lovelace"),
      ])
  }

  @Test func subclassReceivesTheKeyPathOfTheClassThatDeclaresTheProperty() {
    let employee = Employee()
    nonisolated(unsafe) var numbers: [Int?] = []
    let token = employee.observe(\.secret, options: .new) { _, change in numbers.append(change.newValue) }
    employee.secret = 1
    #expect(numbers == [])
    token.invalidate()
  }

  @Test func oneChangeIsOneCallback() {
    recorder.observe(person, "greeting", .new)
    person.setValue("Ada", forKey: "first")
    #expect(recorder.take() == [.setting(new: "Dear Ada ")])
  }
}
