#if canImport(UIKit)
import AVFoundation
import KVOController
import UIKit

/// Plays a video. It observes the player, and through the player whichever item that plays.
///
/// The view controller observes once, in `viewDidLoad`. Its handlers run on the main actor, because `observe` is called
/// there.
final class PlayerViewController: UIViewController {
  private let player = AVPlayer()
  private let playerView = PlayerView()
  private let playButton = UIButton(type: .system)
  private let spinner = UIActivityIndicatorView(style: .large)
  private let slider = UISlider()
  private let messageLabel = UILabel()
  private var timeObserver: Any?

  init(url: URL) {
    super.init(nibName: nil, bundle: nil)
    player.replaceCurrentItem(with: AVPlayerItem(url: url))
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("This view controller isn't in a storyboard.")
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    layOut()
    playerView.playerLayer?.player = player
    playButton.addTarget(self, action: #selector(playOrPause), for: .touchUpInside)
    slider.addTarget(self, action: #selector(seek), for: .valueChanged)

    observe(player, \.timeControlStatus, options: [.initial, .new]) { screen, player, _ in
      screen.showStatus(of: player)
    }
    // Key paths that lead through the current item follow it: when it is replaced, the next one is observed.
    observe(player, \.currentItem?.status, options: [.initial, .new]) { screen, player, _ in
      screen.messageLabel.text = player.currentItem?.error?.localizedDescription
      screen.playButton.isEnabled = player.currentItem?.status == .readyToPlay
    }
    observe(player, \.currentItem?.duration, options: [.initial, .new]) { screen, player, _ in
      let seconds = player.currentItem?.duration.seconds ?? 0
      screen.slider.maximumValue = seconds.isFinite ? Float(seconds) : 0
    }
  }

  // The current time isn't observable with Key-Value Observing. AVPlayer has a call of its own for it.
  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    let interval = CMTime(value: 1, timescale: 2)
    timeObserver = player.addPeriodicTimeObserver(forInterval: interval, queue: .main) { [weak self] time in
      MainActor.assumeIsolated { self?.showTime(time) }
    }
  }

  override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    player.pause()
    if let timeObserver { player.removeTimeObserver(timeObserver) }
    timeObserver = nil
  }

  private func showStatus(of player: AVPlayer) {
    let isPaused = player.timeControlStatus == .paused
    playButton.setImage(UIImage(systemName: isPaused ? "play.fill" : "pause.fill"), for: .normal)
    playButton.accessibilityLabel = isPaused ? "Play" : "Pause"
    if player.timeControlStatus == .waitingToPlayAtSpecifiedRate {
      spinner.startAnimating()
    } else {
      spinner.stopAnimating()
    }
  }

  private func showTime(_ time: CMTime) {
    guard !slider.isTracking else { return }
    slider.value = Float(time.seconds)
  }

  @objc private func playOrPause() {
    if player.timeControlStatus == .paused {
      player.play()
    } else {
      player.pause()
    }
  }

  @objc private func seek() {
    player.seek(to: CMTime(seconds: Double(slider.value), preferredTimescale: 600))
  }

  private func layOut() {
    view.backgroundColor = .systemBackground
    messageLabel.font = .preferredFont(forTextStyle: .footnote)
    messageLabel.adjustsFontForContentSizeCategory = true
    messageLabel.textColor = .secondaryLabel
    messageLabel.numberOfLines = 0
    slider.accessibilityLabel = "Position"
    playButton.setContentHuggingPriority(.required, for: .horizontal)

    let controls = UIStackView(arrangedSubviews: [playButton, slider])
    controls.spacing = 16
    let stack = UIStackView(arrangedSubviews: [playerView, controls, messageLabel])
    stack.axis = .vertical
    stack.spacing = 16
    for subview in [stack, spinner] {
      subview.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(subview)
    }
    NSLayoutConstraint.activate([
      stack.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 16),
      stack.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
      stack.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
      playerView.heightAnchor.constraint(equalTo: playerView.widthAnchor, multiplier: 9 / 16),
      spinner.centerXAnchor.constraint(equalTo: playerView.centerXAnchor),
      spinner.centerYAnchor.constraint(equalTo: playerView.centerYAnchor),
    ])
  }
}

/// A view whose layer shows a player's video.
private final class PlayerView: UIView {
  override class var layerClass: AnyClass { AVPlayerLayer.self }
  var playerLayer: AVPlayerLayer? { layer as? AVPlayerLayer }
}
#endif
