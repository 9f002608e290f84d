import KVOController
import Testing
import _KVOTestSupport

/// Code of a client of FBKVOController does here what it did there.
@Suite struct MigrationTests {
  let list = TaskList()

  @Test func blocksGetObserverObjectAndChange() {
    let screen = TaskListScreen()
    list.title = "Shopping"
    screen.show(list)
    #expect(screen.heading == "Shopping")
    list.title = "Groceries"
    #expect(screen.heading == "Groceries")
    list.tasks.append("Milk")
    #expect(screen.rows == ["Milk"])
    #expect(screen.log == ["0 tasks", "1 tasks"])
  }

  @Test func changesDistinguishKeyPathsNumbersAndNull() {
    let screen = TaskListScreen()
    screen.show(list)
    screen.log = []
    list.done = 2
    list.owner = TaskOwner()
    list.owner?.name = "Ada"
    list.owner = nil
    #expect(screen.log == ["done: 0 -> 2", "", "Ada", "nobody's"])
  }

  @Test func unobservingEndsAndMayBeRepeated() {
    let screen = TaskListScreen()
    screen.show(list)
    screen.hide(list)
    screen.hide(list)
    list.title = "unheard"
    #expect(screen.heading == "")
  }

  @Test func theFirstObservationOfAKeyPathWins() {
    let counter = TaskCounter()
    counter.start(list)
    #expect(counter.kinds == [])
    list.tasks = ["Milk"]
    list.mutableArrayValue(forKey: "tasks").add("Bread")
    #expect(counter.kinds == [.setting, .insertion])
    counter.stop()
    list.tasks = []
    #expect(counter.kinds.count == 2)
  }

  @Test func contextsReachTheObserversOwnMethod() {
    let audit = TaskAudit()
    audit.watch(list)
    list.done = 1
    list.title = "Shopping"
    #expect(audit.entries == ["done: 0 -> 1", "title: Shopping"])
    audit.replaceController()
    list.done = 2
    #expect(audit.entries.count == 2)
    audit.watch(list)
    list.done = 3
    #expect(audit.entries.last == "done: 2 -> 3")
  }

  @Test func unretainedObjectCanBeDeallocatedFirst() {
    let audit = TaskAudit()
    weak var life: TaskList?
    draining {
      let list = TaskList()
      life = list
      audit.watch(list)
      list.done = 1
    }
    #expect(life == nil)
    #expect(audit.entries == ["done: 0 -> 1"])
    audit.kvoControllerNonRetaining.unobserveAll()
  }

  @Test func nothingIsCalledAfterTheObserverIsDeallocated() {
    var screen: TaskListScreen? = TaskListScreen()
    weak let life = screen
    draining {
      screen?.show(list)
      screen = nil
    }
    #expect(life == nil)
    list.title = "unheard"
  }
}
