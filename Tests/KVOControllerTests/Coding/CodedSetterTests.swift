import KVOController
import Testing
import _KVOTestSupport

/// While coding runs the setter of a listed key, its observers miss what that setter changes, and nothing else.
@Suite struct CodedSetterTests {
  let person = Person("Ada", "Byron")
  let recorder = Recorder()
  let other = Recorder()

  @Test func changeByAnotherObserverMeanwhileIsNotCovered() {
    recorder.observe(person, "fullName")
    other.observe(person, "first")
    other.whenCalled = { [person] recorder, _ in
      recorder.whenCalled = nil
      person.last = "Lovelace"
    }
    person.setValue("Augusta King", forKey: "fullName")
    #expect(
      recorder.take() == [
        .setting(new: "Augusta Lovelace", old: "Augusta Byron"), .setting(new: "Augusta King", old: "Ada Byron"),
      ])
  }

  @Test func settingByAnotherObserverThroughCodingIsNotCovered() {
    recorder.observe(person, "fullName")
    other.observe(person, "last")
    other.whenCalled = { [person] recorder, _ in
      recorder.whenCalled = nil
      person.setValue("Grace Hopper", forKey: "fullName")
    }
    person.setValue("Augusta King", forKey: "fullName")
    #expect(
      recorder.take() == [
        .setting(new: "Grace Hopper", old: "Augusta King"), .setting(new: "Grace Hopper", old: "Ada Byron"),
      ])
  }
}
