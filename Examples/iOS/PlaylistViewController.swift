#if canImport(UIKit)
import KVOController
import UIKit

/// Shows a playlist, and observes it in each of the forms that there are.
///
/// All handlers run on the main actor, because `observe` is called there: they use the views as they are. A change that
/// another thread makes is sent to the main actor. Nothing is ended by hand: observations end with the view controller.
final class PlaylistViewController: UIViewController {
  private let playlist: Playlist
  private let nameLabel = UILabel()
  private let summaryLabel = UILabel()
  private let songLabel = UILabel()
  private let ratingLabel = UILabel()
  private let volumeSlider = UISlider()
  private let table = UITableView()
  private var position: Task<Void, Never>?
  private var edits: Task<Void, Never>?
  private var ratingObservation: KVOObservation?

  init(playlist: Playlist) {
    self.playlist = playlist
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("init(coder:) is for storyboards, which this example has none of")
  }

  deinit {
    position?.cancel()
    edits?.cancel()
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    let stack = UIStackView(arrangedSubviews: [nameLabel, summaryLabel, songLabel, ratingLabel, volumeSlider, table])
    stack.axis = .vertical
    stack.frame = view.bounds
    view.addSubview(stack)
    observeByName()
    observeByKeyPath()
  }

  /// FBKVOController's forms.
  private func observeByName() {
    // A block gets the observer as an argument: it needs no [weak self].
    kvoController.observe(playlist, keyPath: "name", options: [.initial, .new]) { screen, _, change in
      (screen as? PlaylistViewController)?.nameLabel.text = change[.newKey] as? String
    }
    // Several key paths, which the change tells apart.
    kvoController.observe(playlist, keyPaths: ["current", "current.title"], options: .new) { screen, _, change in
      guard let screen = screen as? PlaylistViewController, let keyPath = change[.keyPathKey] as? String else { return }
      screen.songLabel.accessibilityHint = "\(keyPath) has changed"
    }
    // Methods of this class, in place of selectors; each with an identifier, because they observe one key path.
    kvoController.observe(
      playlist, keyPath: "songs", identifier: "table", action: PlaylistViewController.songsDidChange)
    kvoController.observe(
      playlist, keyPath: "songs", options: .new, identifier: "log", action: PlaylistViewController.log(_:))
    kvoController.observe(
      playlist, keyPaths: ["name", "volume"], identifier: "log", action: PlaylistViewController.log(_:of:))
    // A context, for an observeValue that was there before. It is called on the thread that makes the change.
    kvoController.observe(playlist, keyPath: "position", options: .new, context: nil)
  }

  /// The forms with key paths, whose changes have types.
  private func observeByKeyPath() {
    kvoController.observe(playlist, \.summary, options: [.initial, .new]) { [weak self] _, change in
      self?.summaryLabel.text = change.newValue
    }
    // The observer first: again without [weak self].
    kvoController.observe(playlist, \.current?.title, options: [.initial, .new]) {
      (screen: PlaylistViewController, _, change) in
      screen.songLabel.text = change.newValue ?? "Nothing"
    }
    // A rating that is nil is .some(nil); the token ends just this observation.
    ratingObservation = kvoController.observe(playlist, \.current?.rating) {
      (screen: PlaylistViewController, _, change) in
      guard let rating = change.newValue else { return }
      screen.ratingLabel.text = rating.map { "\($0)" } ?? "Not rated"
      if rating == 5 { screen.ratingObservation?.invalidate() }
    }
    kvoController.observe(playlist, \.volume) { (screen: PlaylistViewController, _, change) in
      screen.volumeSlider.value = Float(change.newValue ?? 0)
    }
  }

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    // Only the latest position matters.
    let positions = kvoController.values(of: playlist, \.position, bufferingPolicy: .bufferingNewest(1))
    position = Task { [weak self] in
      for await seconds in positions { self?.title = "\(Int(seconds)) s" }
    }
    let names = kvoController.changes(of: playlist, \.name)
    edits = Task { [weak self] in
      for await change in names {
        self?.navigationItem.prompt = "\(change.oldValue ?? "") is now \(change.newValue ?? "")"
      }
    }
  }

  override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    position?.cancel()
    edits?.cancel()
    kvoController.unobserve(playlist, \.volume)
  }

  private func songsDidChange() {
    table.reloadData()
  }

  private func log(_ change: [NSKeyValueChangeKey: Any]) {
    navigationItem.accessibilityValue = "\(change[.newKey] ?? "")"
  }

  private func log(_ change: [NSKeyValueChangeKey: Any], of object: Any) {
    navigationItem.accessibilityLabel = "\(object) has changed"
  }

  override nonisolated func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let position = change?[.newKey] as? TimeInterval ?? 0
    Task { @MainActor in volumeSlider.accessibilityValue = "\(position)" }
  }
}
#endif
