import KVOController
import Testing

/// When a binding looks at its properties, and what it assigns.
@Suite struct LooksTests {
  @Test func whatComesMeanwhileIsTheNextLooks() {
    var looks = Looks()
    let first = looks.come(.source, isOwn: false)
    #expect(first && looks.next() ?? none == (.source, true))
    let second = looks.come(.source, isOwn: false)
    #expect(!second && looks.next() ?? none == (.source, true) && looks.next() == nil)
    let third = looks.come(.source, isOwn: false)
    #expect(third)
  }

  @Test func aLookIsAtTheSideThatHasChangedLast() {
    var looks = Looks()
    _ = looks.come(.source, isOwn: false)
    _ = looks.come(.target, isOwn: true)
    #expect(looks.next() ?? none == (.target, true))
    _ = looks.come(.target, isOwn: true)
    looks.didAssign()
    #expect(looks.next() ?? none == (.target, false))
  }

  @Test func anOwnAssignmentIsLookedAt() {
    var looks = Looks()
    _ = looks.come(.source, isOwn: false)
    _ = looks.next()
    looks.willAssign(on: 1)
    #expect(looks.areAssigning(on: 1) && !looks.areAssigning(on: 2))
    looks.didAssign()
    #expect(!looks.areAssigning(on: 1))
    #expect(looks.next() ?? none == (.source, false) && looks.next() == nil)
    looks.willAssign(on: 1)
    looks.didAssign(looksAgain: false)
    #expect(looks.next() == nil)
  }

  @Test func whatAnOwnAssignmentCausesIsNoNotification() {
    var looks = Looks()
    _ = looks.come(.source, isOwn: false)
    _ = looks.next()
    looks.willAssign(on: 1)
    _ = looks.come(.source, isOwn: true)
    looks.didAssign()
    #expect(looks.next() ?? none == (.source, false) && looks.count == 1 && looks.next() == nil)
    // It counts as well if it is delivered later.
    _ = looks.come(.source, isOwn: true)
    #expect(looks.next() ?? none == (.source, false) && looks.count == 1)
    looks.willAssign(on: 1)
    looks.didAssign()
    #expect(looks.count == 2)
    _ = looks.come(.source, isOwn: true)
    _ = looks.come(.source, isOwn: false)
    #expect(looks.next() ?? none == (.source, true) && looks.count == 0)
  }

  @Test func whatIsUnchangedIsNoChange() {
    var looks = Looks()
    let unchanged = looks.come(.source, isOwn: false, isUnchanged: true)
    #expect(!unchanged && looks.next() == nil)
    let own = looks.come(.target, isOwn: true, isUnchanged: true)
    #expect(own && looks.next() ?? none == (.target, false))
    // What couldn't be read is looked at.
    looks.miss(.source)
    _ = looks.next()
    let (target, source) = (
      looks.come(.target, isOwn: false, isUnchanged: true), looks.come(.source, isOwn: false, isUnchanged: true)
    )
    #expect(!target && source && looks.next() ?? none == (.source, true))
  }

  private let none = (side: Looks.Side.target, isNotified: false)
}
