import KVOController
import Testing

/// Undoing any kind of change, as the page Recipes does: with `.prior`, the property is read before each change.
@Suite struct ChangeHistoryTests {
  private final class Note: KeyValueObject {
    @Observed var title = "Food"
    @Observed var items = ["eggs", "milk", "bread"]
    @Observed var tags: Set<String> = ["food"]
    @Observed var due: String?
  }

  private final class NoteHistory: KeyValueObject {
    private(set) var steps: [(key: String, value: Any?)] = []
    private var isUndoing = false

    func record(_ note: Note) {
      kvoController.observe(note, keyPaths: Note.observedKeys, options: .prior) { history, note, change in
        guard let history = history as? NoteHistory, !history.isUndoing, let note = note as? Note,
          change[.notificationIsPriorKey] != nil, let key = change[.keyPathKey] as? String
        else { return }
        history.steps.append((key, note.value(forKey: key)))
      }
    }

    func undo(_ note: Note) {
      guard let (key, former) = steps.popLast() else { return }
      isUndoing = true
      note.setValue(former, forKey: key)
      isUndoing = false
    }
  }

  /// Changes a note, and undoes that with as many steps.
  private func expectUndone(_ steps: Int = 1, _ change: (Note) -> Void) {
    let (note, history) = (Note(), NoteHistory())
    history.record(note)
    change(note)
    #expect(history.steps.count == steps)
    for _ in 0..<steps { history.undo(note) }
    #expect(history.steps.isEmpty)
    #expect(note.title == "Food")
    #expect(note.items == ["eggs", "milk", "bread"])
    #expect(note.tags == ["food"])
    #expect(note.due == nil)
  }

  @Test func aSettingIsUndone() {
    expectUndone { $0.title = "Home" }
    expectUndone { $0.due = "today" }
    expectUndone { $0.items = [] }
  }
  @Test func aMutationInPlaceIsUndone() { expectUndone { $0.items.append("jam") } }
  @Test func anInsertionIsUndone() {
    expectUndone { $0.mutableArrayValue(forKey: "items").insert(["tea", "jam"], at: [0, 2]) }
  }
  @Test func aRemovalIsUndone() { expectUndone { $0.mutableArrayValue(forKey: "items").removeObject(at: 0) } }
  @Test func aReplacementIsUndone() {
    expectUndone { $0.mutableArrayValue(forKey: "items").replaceObject(at: 1, with: "oats") }
  }
  @Test func theChangesOfASetAreUndone() {
    expectUndone { $0.mutableSetValue(forKey: "tags").add("home") }
    expectUndone { $0.mutableSetValue(forKey: "tags").remove("food") }
    expectUndone { $0.mutableSetValue(forKey: "tags").setSet(["home", "garden"]) }
  }
  @Test func severalAreUndoneInReverse() {
    expectUndone(4) {
      $0.mutableArrayValue(forKey: "items").removeObject(at: 2)
      $0.items.insert("tea", at: 0)
      $0.title = ""
      $0.mutableArrayValue(forKey: "items").replaceObject(at: 0, with: "jam")
    }
  }
}
