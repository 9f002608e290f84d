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

  override init(observer: AnyObject?, retainObserved: Bool) {
    super.init(observer: observer, retainObserved: retainObserved)
  }

  override func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, block: @escaping FBKVONotificationBlock
  ) {
    count += 1
    super.observe(
      object, keyPath: keyPath, options: options, identifier: identifier, isolation: isolation, block: block)
  }

  override func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    count += 1
    super.observe(object, keyPath: keyPath, options: options, context: context)
  }

  override func unobserve(_ object: Any?, keyPath: String) {
    count -= 1
    super.unobserve(object, keyPath: keyPath)
  }

  override func unobserveAll() {
    count = 0
    super.unobserveAll()
  }
}

/// What reaches its controller by itself, without the one of `NSObject`.
final class Row: NSObject {
  private lazy var controller = FBKVOController(observer: self)

  override var kvoController: FBKVOController {
    get { controller }
    set { controller = newValue }
  }
}

/// References to methods, selectors, and what is found through `AnyObject`.
func find(_ controller: FBKVOController, _ player: AVPlayer) {
  let observe = controller.observe(_:keyPath:options:block:)
  observe(player, "rate", .new) { _, _, change in print(change[.newKey] ?? "") }
  let observeSeveral = FBKVOController.observe(_:keyPaths:options:block:)
  observeSeveral(controller)(player, ["rate", "status"], .new) { _, _, change in print(change) }
  let observeWithContext = controller.observe(_:keyPath:options:context:)
  observeWithContext(player, "rate", [], nil)
  let unobserve = controller.unobserve(_:keyPath:)
  unobserve(player, "rate")
  controller.perform(#selector(FBKVOController.unobserveAll))
  controller.perform(#selector(FBKVOController.unobserve(_:keyPath:)), with: player, with: "rate")
  print(controller.value(forKey: #keyPath(FBKVOController.observer)) ?? "", #keyPath(NSObject.kvoController))
  let unknown: AnyObject = controller
  unknown.unobserveAll?()
  unknown.unobserve?(player, keyPath: "rate")
  unknown.observe?(player, keyPath: "rate", options: .new, context: nil)
  print((player as AnyObject).kvoController as FBKVOController? ?? "", (unknown.observer ?? nil) ?? "")
}

/// A name that clients have too.
typealias KVONotificationBlock = (_ change: [NSKeyValueChangeKey: Any]) -> Void
