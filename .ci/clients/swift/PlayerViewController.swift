// Swift as clients of FBKVOController 1.2 have it: blocks with keys of a type of their own, and selectors.

import AVFoundation
import KVOController
import UIKit

class PlayerViewController: UIViewController {
  @objc dynamic var player = AVPlayer()
  private let playButton = UIButton(type: .system)
  private let slider = UISlider()
  private lazy var playerController = FBKVOController(observer: self)
  private var itemController: FBKVOController?
  private var playerContext = 0

  override func viewDidLoad() {
    super.viewDidLoad()

    kvoController.observe(player, keyPath: "rate", options: [.initial, .new]) { [weak self] _, _, change in
      guard let rate = change[NSKeyValueChangeKey.newKey] as? Float else { return }
      self?.playButton.isSelected = rate > 0
    }

    kvoController.observe(player, keyPath: #keyPath(AVPlayer.currentItem), options: [.old, .new]) {
      (observer, object, change) in
      guard let viewController = observer as? PlayerViewController else { return }
      if change[.oldKey] is NSNull { viewController.slider.isEnabled = true }
      viewController.follow(change[.newKey] as? AVPlayerItem)
    }

    playerController.observe(player, keyPaths: ["status", "error"], options: .new) { observer, object, change in
      let keyPath = change[NSKeyValueChangeKey(rawValue: FBKVONotificationKeyPathKey)] as? String
      print(keyPath ?? "", object, observer ?? "nobody")
    }
    playerController.observe(
      player, keyPath: #keyPath(AVPlayer.timeControlStatus), options: [], action: #selector(statusDidChange))
    playerController.observe(
      player, keyPaths: ["volume", "muted"], options: .new, action: #selector(soundDidChange(_:player:)))
    playerController.observe(player, keyPath: "allowsExternalPlayback", options: .new, context: &playerContext)

    kvoControllerNonRetaining.observe(self, keyPath: #keyPath(player), options: .prior) { _, _, _ in }
  }

  private func follow(_ item: AVPlayerItem?) {
    itemController?.unobserveAll()
    itemController = FBKVOController(observer: self, retainObserved: false)
    let block: FBKVONotificationBlock = { observer, object, change in
      (observer as? PlayerViewController)?.slider.value = change[.newKey] as? Float ?? 0
    }
    itemController?.observe(item, keyPath: "status", options: [.new, .initial], block: block)
    itemController?.observe(item, keyPaths: ["loadedTimeRanges"], options: [.new], block: block)
  }

  @objc private func statusDidChange() {
    playButton.setNeedsLayout()
  }

  @objc func soundDidChange(_ change: [NSKeyValueChangeKey: Any], player: AVPlayer) {
    slider.value = player.volume
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  ) {
    if context == &playerContext {
      playButton.isHidden = true
    } else {
      super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
  }

  deinit {
    playerController.unobserve(player, keyPath: "status")
    playerController.unobserve(player)
    playerController.unobserveAll()
  }
}

extension NSObject {
  /// A short form, as many clients have it.
  func bind(_ object: NSObject, _ keyPath: String, _ update: @escaping (Any?) -> Void) {
    kvoController.observe(object, keyPath: keyPath, options: [.initial, .new]) { _, _, change in
      update(change[.newKey])
    }
  }
}

/// Clients may subclass the controller in Swift.
final class LoggingController: FBKVOController {
  private(set) var count = 0

  override func unobserveAll() {
    count = 0
    super.unobserveAll()
  }
}

/// A name that clients have too.
typealias KVONotificationBlock = (_ change: [NSKeyValueChangeKey: Any]) -> Void
