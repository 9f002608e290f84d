// A view controller of AppKit, whose objects have a `bind` of Cocoa and an `observe` of Foundation.

import AppKit
import KVOController

final class Song: KeyValueObject, @unchecked Sendable {
  @Observed var title = ""
}

@MainActor final class BindingsController: NSViewController {
  private let song = Song()
  private let arrayController = NSArrayController()
  private let field = NSTextField()
  private var text = ""

  override func viewDidLoad() {
    super.viewDidLoad()
    field.bind(.value, to: arrayController, withKeyPath: "selection.title", options: nil)
    field.bind(song, \.title, to: \.stringValue)
    bind(song, \.title, to: \.text)
    observe(arrayController, \.selectionIndex) { controller, array, change in
      controller.text = "\(change.newValue ?? array.selectionIndex)"
    }
    let token: NSKeyValueObservation = arrayController.observe(\.selectionIndexes) { _, _ in }
    token.invalidate()
    field.unbind(.value)
    unobserve(arrayController)
  }
}
