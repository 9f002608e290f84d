import KVOController
import Testing
import _KVOTestSupport

@Suite struct ManualNotificationTests {
  let account = Account()
  let node = Node("a", number: 1)
  let recorder = Recorder()

  @Test func settersAndKVCDoNotNotifyWhereNotificationIsManual() {
    recorder.observe(account, "balance", [.new, .old, .prior])
    account.balance = 1
    account.balance += 1
    account[keyPath: \.balance] = 4
    account.setValue(5, forKey: "balance")
    account.setValue(6, forKeyPath: "balance")
    account.setValuesForKeys(["balance": 7])
    #expect(recorder.take() == [])
    #expect(account.balance == 7)
  }

  @Test func kvcDoesNotNotifyForADeclaredKeyWhereNotificationIsManual() {
    recorder.observe(account, "note", [.new, .old, .prior])
    account.setValue("text", forKey: "note")
    #expect(account.note == "text")
    #expect(recorder.take() == [])
    account.willChangeValue(forKey: "note")
    account.setValue("other", forKey: "note")
    account.didChangeValue(forKey: "note")
    #expect(recorder.take() == [.prior(old: "text"), .setting(new: "other", old: "text")])
  }

  @Test func pairsNotifyWithOldReadAtWillAndNewAtDid() {
    recorder.observe(account, "balance", [.new, .old])
    account.balance = 1
    account.willChangeValue(forKey: "balance")
    #expect(recorder.take() == [])
    account.balance = 2
    account.balance = 3
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [.setting(new: 3, old: 1)])
    account.balance = 4
    account.deposit(1)
    #expect(recorder.take() == [.setting(new: 5, old: 4)])
  }

  @Test func thePriorCallComesAtWill() {
    recorder.observe(account, "balance", [.prior, .new, .old])
    account.willChangeValue(forKey: "balance")
    #expect(recorder.take() == [.prior(old: 0)])
    account.balance = 2
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [.setting(new: 2, old: 0)])
  }

  @Test func otherKeysOfTheClassNotifyByThemselves() {
    recorder.observe(account, "limit")
    account.limit = 5
    #expect(recorder.take() == [.setting(new: 5, old: 0)])
  }

  @Test func pairsWorkForKeysThatAreNotProperties() {
    recorder.observe(node, "anything", .prior)
    node.willChangeValue(forKey: "anything")
    node.didChangeValue(forKey: "anything")
    #expect(recorder.take() == [.prior, .setting])
  }

  @Test func pairsOfAnUnobservedKeyDoNothing() {
    recorder.observe(node, "number")
    node.willChangeValue(forKey: "anything")
    node.didChangeValue(forKey: "anything")
    node.willChangeValue(forKey: "name")
    node.didChangeValue(forKey: "name")
    Node().willChangeValue(forKey: "number")
    Node().didChangeValue(forKey: "number")
    #expect(recorder.take() == [])
  }

  @Test func pairsReachPathsThroughTheObject() {
    let box = Box<Account?>(account)
    recorder.observe(box, "value.balance")
    recorder.observe(box, "value.total")
    account.deposit(2)
    #expect(recorder.take() == [.setting(new: 2, old: 0), .setting(new: 2, old: 0)])
  }

  @Test func aPairMayReplaceAManualMiddle() {
    final class Holder: KeyValueObject {
      @Observed var node = Node("old")
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "node" }
    }
    let holder = Holder()
    let (old, new) = (holder.node, Node("new"))
    recorder.observe(holder, "node.name")
    holder.willChangeValue(forKey: "node")
    holder.node = new
    holder.didChangeValue(forKey: "node")
    #expect(recorder.take() == [.setting(new: "new", old: "old")])
    old.name = "unheard"
    new.name = "received"
    #expect(recorder.take() == [.setting(new: "received", old: "new")])
  }

  @Test func theSubclassDecidesAboutAutomaticNotification() {
    class Automatic: KeyValueObject { @Observed var value = 0 }
    class Manual: Automatic {
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "value" }
    }
    final class AutomaticAgain: Manual {
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }
    }
    let objects = [Automatic(), Manual(), AutomaticAgain()]
    for object in objects {
      recorder.observe(object, "value", .new)
      object.value = 1
      object.setValue(2, forKey: "value")
    }
    #expect(
      recorder.calls.map(\.object) == [objects[0], objects[0], objects[2], objects[2]].map { ObjectIdentifier($0) })
  }

  // MARK: Nesting

  @Test func pairsOfDifferentKeysNestLikeBrackets() {
    for key in ["number", "name", "items"] { recorder.observe(node, key, [.prior, .new, .old]) }
    node.willChangeValue(forKey: "number")
    node.willChangeValue(forKey: "name")
    node.willChangeValue(forKey: "items")
    #expect(recorder.take() == [.prior(old: 1), .prior(old: "a"), .prior(old: [Int]())])
    node.didChangeValue(forKey: "items")
    #expect(recorder.take() == [.setting(new: [Int](), old: [Int]())])
    node.didChangeValue(forKey: "name")
    #expect(recorder.take() == [.setting(new: "a", old: "a")])
    node.didChangeValue(forKey: "number")
    #expect(recorder.take() == [.setting(new: 1, old: 1)])
  }

  @Test func pairsOfDifferentObjectsNestLikeBrackets() {
    let other = Account()
    recorder.observe(account, "balance")
    recorder.observe(other, "balance")
    account.willChangeValue(forKey: "balance")
    other.willChangeValue(forKey: "balance")
    (account.balance, other.balance) = (1, 2)
    other.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [.setting(new: 2, old: 0)])
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [.setting(new: 1, old: 0)])
  }

  @Test func anAutomaticChangeBetweenAPairOfAnotherKeyIsItsOwn() {
    recorder.observe(account, "balance")
    recorder.observe(account, "limit")
    account.willChangeValue(forKey: "balance")
    account.limit = 5
    #expect(recorder.take() == [.setting(new: 5, old: 0)])
    account.balance = 1
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [.setting(new: 1, old: 0)])
  }

  // MARK: Halves of pairs

  @Test func didChangeAloneSendsNothing() {
    recorder.observe(account, "balance", [.prior, .new, .old])
    account.didChangeValue(forKey: "balance")
    account.didChangeValue(forKey: "limit")
    account.didChangeValue(forKey: "missing")
    #expect(recorder.take() == [])
    account.deposit(1)
    #expect(recorder.take() == [.prior(old: 0), .setting(new: 1, old: 0)])
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [])
  }

  @Test func didChangeBetweenAPairOfAnotherKeyDisturbsNothing() {
    recorder.observe(account, "balance", [.prior, .new, .old])
    recorder.observe(account, "limit", [.prior, .new, .old])
    account.willChangeValue(forKey: "balance")
    _ = recorder.take()
    account.didChangeValue(forKey: "limit")
    #expect(recorder.take() == [])
    account.balance = 1
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [.setting(new: 1, old: 0)])
  }

  @Test func willChangeAloneSendsOnlyThePriorCall() {
    recorder.observe(account, "balance", [.prior, .new, .old])
    account.willChangeValue(forKey: "balance")
    #expect(recorder.take() == [.prior(old: 0)])
    account.balance = 5
    #expect(recorder.take() == [])
  }

  @Test func willChangeAloneDisturbsNoLaterChange() {
    recorder.observe(node, "number", [.new, .old])
    recorder.observe(node, "name", [.new, .old])
    node.willChangeValue(forKey: "number")
    node.number = 2
    node.name = "b"
    node.willChangeValue(forKey: "name")
    node.name = "c"
    node.willChangeValue(forKey: "number")
    node.didChangeValue(forKey: "number")
    #expect(
      recorder.take() == [
        .setting(new: 2, old: 1), .setting(new: "b", old: "a"), .setting(new: "c", old: "b"),
        .setting(new: 2, old: 2),
      ])
  }

  @Test func willChangeAloneLeavesLaterPairsAlone() {
    recorder.observe(account, "balance", [.new, .old])
    recorder.observe(account, "limit", [.new, .old])
    account.willChangeValue(forKey: "limit")
    for number in 1...3 {
      account.deposit(1)
      #expect(recorder.take() == [.setting(new: number, old: number - 1)])
    }
    account.limit = 9
    #expect(recorder.take() == [.setting(new: 9, old: 0)])
  }

  @Test func willChangeAloneHoweverOftenDisturbsNoPair() {
    let (account, recorder) = (Account(), Recorder())
    recorder.observe(account, "balance", [.new, .old])
    recorder.observe(account, "note", [.new, .old])
    account.willChangeValue(forKey: "note")
    for _ in 0..<5000 { account.willChangeValue(forKey: "balance") }
    account.deposit(1)
    #expect(recorder.take() == [.setting(new: 1, old: 0)])
    account.note = "paid"
    account.didChangeValue(forKey: "note")
    #expect(recorder.take() == [.setting(new: "paid", old: "")])
    account.willChangeValue(forKey: "note")
    account.didChangeValue(forKey: "note")
    #expect(recorder.take() == [.setting(new: "paid", old: "paid")])
  }

  @Test func willChangeAloneIsNotEndedByAPairOfAnUnobservedKey() {
    let box = Box<Account?>(account)
    recorder.observe(box, "value.balance")
    account.willChangeValue(forKey: "balance")
    box.value = Account()
    _ = recorder.take()
    account.deposit(1)
    #expect(recorder.take() == [])
  }

  @Test func willChangeAloneIsReleasedWithItsObject() {
    weak var weakAccount: Account?
    do {
      let account = Account()
      weakAccount = account
      recorder.observe(account, "balance")
      account.willChangeValue(forKey: "balance")
    }
    #expect(weakAccount == nil)
    let account = Account()
    recorder.observe(account, "balance")
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [])
  }

  @Test func observerAddedBetweenAPairIsNotNotifiedOfIt() {
    recorder.observe(account, "balance", [])
    let late = Recorder()
    account.willChangeValue(forKey: "balance")
    late.observe(account, "balance", [.prior, .new])
    account.didChangeValue(forKey: "balance")
    #expect(late.take() == [])
    #expect(recorder.take() == [.setting])
  }

  @Test func firstObserverAddedBetweenAPairIsNotNotifiedOfIt() {
    account.willChangeValue(forKey: "balance")
    recorder.observe(account, "balance", [.prior, .new])
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [])
    account.deposit(1)
    #expect(recorder.take() == [.prior, .setting(new: 1)])
  }

  @Test func observerRemovedBetweenAPairIsNotNotifiedAgain() {
    recorder.observe(account, "balance", [.prior, .new])
    account.willChangeValue(forKey: "balance")
    #expect(recorder.take() == [.prior])
    recorder.unobserve(account, "balance")
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [])
    recorder.observe(account, "balance", [.prior, .new])
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [])
  }
}
