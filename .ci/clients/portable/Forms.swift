// Every form of observing, from the main actor, from an actor, and without isolation. The check `rejections` compiles it in the
// modes of Swift 5 and 6, each also with the main actor as the default isolation, without warnings.

import KVOController

nonisolated class Recording: KeyValueObject {
  @Observed var title = ""
  @Observed var plays = 0
  @Observed var parts: [Recording] = []
  @Observed var extras: [Recording]?
}
nonisolated final class Song: Recording, @unchecked Sendable {}

nonisolated protocol Watching { var name: String { get } }

/// The observer is on the main actor.
@MainActor final class Screen: KeyValueObject, Watching {
  nonisolated override init() { super.init() }

  nonisolated var name: String { "screen" }
  var text = ""
  var optionalText: String?
  var count = 0
  @Observed var caption = ""

  func observe(_ song: Song) async {
    observe(song, \.title) { screen, song, change in screen.text = change.newValue ?? song.title }
    observe(song, \.title, options: .initial, identifier: 1) { screen, _, _ in screen.count += 1 }
    observe(song, [\.title, \.plays]) { screen, song in screen.text = song.title }
    bind(song, \.title, to: \.text)
    bind(song, \.title, to: \.optionalText)
    bind(song, \.plays, to: \.text) { "\($0)" }
    bindBothWays(song, \.title, with: \.caption)
    observe(allOf: song) { screen, song, key in screen.text = key }
    observe(song, elements: \.parts, \.title) { screen, part, change in screen.text = part.title }
    observe(song, elements: \.extras, \.title, options: .initial) { screen, part, change in screen.text = part.title }
    observe(song, \.plays, identifier: 4) { screen, _, change in if change.changesValue { screen.count += 1 } }
    let token = kvoController.observe(song, \.plays) { [weak self] _, change in self?.count = change.newValue ?? 0 }
    kvoController.observe(song, \.plays, identifier: 2) { (screen: Screen, _, _) in screen.count += 1 }
    kvoController.observe(song, keyPath: "title") { [weak self] _, _, change in
      self?.text = change["new"] as? String ?? ""
    }
    kvoController.observe(song, keyPaths: ["title", "plays"]) { screen, _, _ in (screen as? Screen)?.count += 1 }
    kvoController.observe(song, keyPath: "title", identifier: 3) { (_, _, change: [String: Any]) in
      self.text = change["new"] as? String ?? ""
    }
    let block: FBKVONotificationBlock = { _, _, change in self.text = change["new"] as? String ?? "" }
    kvoController.observe(song, keyPath: "title", options: .new, block: block)
    kvoController.observe(song, keyPaths: ["title"], options: .new, block: block)
    kvoController.observe(song, keyPath: "plays", options: .new, context: nil)
    // For any thread, with nothing of the main actor's.
    observe(song, \.title, isolation: nil) { _, song, _ in song.plays += 1 }
    observe(allOf: song, isolation: nil) { _, song, _ in song.plays += 1 }
    observe(song, elements: \.parts, \.plays, isolation: nil) { _, part, _ in part.title = "" }
    kvoController.observe(song, \.title, isolation: nil) { song, _ in song.plays += 1 }
    kvoController.observe(song, keyPath: "title", isolation: nil) { _, object, _ in (object as? Song)?.plays += 1 }
    let method = kvoController.observe(_:keyPath:options:block:)
    method(song, "title", .new) { _, _, change in print(change["new"] ?? "") }
    for await title in kvoController.values(of: song, \.title) {
      text = title
      break
    }
    for await change in kvoController.changes(of: song, \.plays) where change.newValue == 3 { break }
    unobserve(song, \.title)
    unobserve(song)
    token.invalidate()
  }
}

/// The observer's class has nothing to do with Key-Value Observing.
@MainActor final class Plain: Watching {
  nonisolated var name: String { "plain" }
  private lazy var controller = FBKVOController(observer: self)
  var text = ""

  func redraw() {}
  func update(_ change: [NSKeyValueChangeKey: Any]) {}
  func update(_ change: [NSKeyValueChangeKey: Any], _ object: Any) {}

  func observe(_ song: Song) {
    controller.observe(song, \.title) { (plain: Plain, song, _) in plain.text = song.title }
    controller.observe(song, keyPath: "title", action: Plain.redraw)
    controller.observe(song, keyPath: "title", identifier: 1, action: Plain.update(_:))
    for keyPath in ["title", "plays"] {
      controller.observe(song, keyPath: keyPath, options: .new, identifier: 2, action: Plain.update(_:_:))
    }
    controller.unobserve(song, keyPath: "title")
    controller.unobserveAll()
  }
}

/// Actors observe with a controller of their own, as the documentation shows.
actor Archive {
  private lazy var controller = KVOController(observer: self)
  private(set) var latest = ""

  func follow(_ song: Song) {
    controller.observe(song, \.title) { [weak self] _, change in
      self?.assumeIsolated { $0.latest = change.newValue ?? "" }
    }
  }

  func wait(for song: Song) async {
    for await title in controller.values(of: song, \.title) {
      latest = title
      break
    }
  }
}

nonisolated func observe(_ song: Song, with controller: FBKVOController, for watching: any Watching) {
  var titles: [String] = []
  controller.observe(song, \.title) { song, _ in titles.append(song.title) }
  controller.observe(song, keyPath: "title") { _, _, change in titles.append(change["new"] as? String ?? "") }
  _ = FBKVOController(observer: watching)
  _ = FBKVOController(observer: watching, retainObserved: false)
  let token: NSKeyValueObservation = song.observe(\.title, options: .new) { song, change in print(change.newValue ?? "")
  }
  token.invalidate()
}
