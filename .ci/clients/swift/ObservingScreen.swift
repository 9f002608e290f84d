import AVFoundation
import KVOController
import UIKit

final class Track: NSObject {
  @objc dynamic var title = ""
}

final class Model: KeyValueObject, @unchecked Sendable {
  @Observed var name = ""
}

/// A view controller that observes by its own methods, alongside those of the same names in UIKit and Foundation.
@MainActor final class ObservingScreen: UIViewController {
  private let player = AVPlayer()
  private let model = Model()
  private let nameLabel = UILabel()
  private var text = ""

  override func viewDidLoad() {
    super.viewDidLoad()
    observe(player, \.timeControlStatus) { screen, player, change in
      screen.text = "\(player.rate) \(change.kind.rawValue)"
    }
    observe(player, [\.rate, \.currentItem], options: .initial, identifier: "redraw") { screen, player in
      screen.text = "\(player.rate)"
    }
    bind(model, \.name, to: \.text)
    nameLabel.bind(model, \.name, to: \.text)
    let token: NSKeyValueObservation = player.observe(\.rate) { _, _ in }
    token.invalidate()
    kvoController.unobserve(player, \.rate)
    kvoController.unobserve(player)
    kvoController.observe(player, \.rate) { (screen: ObservingScreen, _, change) in
      screen.text = "\(change.newValue ?? 0)"
    }
    kvoController.observe(player, \.volume, isolation: nil) { _, _ in }
    kvoController.observe(player, keyPath: "rate") { [weak self] _, _, change in self?.text = "\(change["new"] ?? 0)" }
    kvoController.observe(player, keyPath: "rate", action: #selector(redraw))
    perform(#selector(FBKVOController.unobserveAll), on: kvoController, #keyPath(FBKVOController.observer))
    unobserve(player)
  }

  private func perform(_ action: Selector, on controller: FBKVOController, _ key: String) {
    if controller.value(forKey: key) != nil { controller.perform(action) }
  }

  @objc private func redraw() {}
}

func observe(_ track: Track, for other: Track, with controller: KVOController) {
  controller.unobserve(track)
  controller.observe(track, \.title) { _, _ in }
  other.observe(track, \.title) { other, _, change in other.title = change.newValue ?? "" }
  other.bind(track, \.title, to: \.title)
}
