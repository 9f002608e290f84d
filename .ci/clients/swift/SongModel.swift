// Swift in an app that imports FBKVOController in its bridging header only.

class SongModel: NSObject {
  @objc dynamic var song = Song()
  private(set) var titles: [String] = []

  func start() {
    let block: FBKVONotificationBlock = { observer, _, change in
      guard let model = observer as? SongModel, let title = change[.newKey] as? String else { return }
      model.titles.append(title)
    }
    kvoController.observe(self, keyPath: "song.title", options: [.initial, .new], block: block)
    kvoController.observe(song, keyPath: #keyPath(Song.position), options: .new) { _, _, change in
      print(change[NSKeyValueChangeKey(rawValue: FBKVONotificationKeyPathKey)] ?? "")
    }
    let controller = FBKVOController(observer: self)
    controller.observe(song, keyPath: "title", options: [], action: #selector(titleDidChange))
  }

  @objc func titleDidChange() {}
}
