#if canImport(UIKit)
import KVOController
import UIKit

/// Edits a song for another screen, which it tells through a model that holds this screen.
///
/// The draft holds the screen and the screen observes the draft: with `kvoController`, which keeps alive what it
/// observes, the two would never die. `kvoControllerNonRetaining` doesn't.
final class SongViewController: UIViewController {
  /// What is being edited, with its owner.
  final class Draft: KeyValueObject {
    @Observed var title = ""
    @Observed var isValid = false
    fileprivate let screen: SongViewController

    fileprivate init(_ screen: SongViewController) {
      self.screen = screen
    }
  }

  private let field = UITextField()
  private let song: Song
  private weak var draft: Draft?

  init(song: Song) {
    self.song = song
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("init(coder:) is for storyboards, which this example has none of")
  }

  /// Begins an edit, which lasts as long as somebody holds what it gives.
  func edit() -> Draft {
    let draft = Draft(self)
    draft.title = song.title
    self.draft = draft
    kvoControllerNonRetaining.observe(draft, \.title) { (screen: SongViewController, draft, change) in
      draft.isValid = change.newValue?.isEmpty == false
      screen.field.text = change.newValue
    }
    kvoControllerNonRetaining.observe(draft, keyPath: "isValid", action: SongViewController.validityDidChange)
    return draft
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    field.frame = view.bounds
    view.addSubview(field)
    // The song doesn't know this screen, so it may be kept alive.
    kvoController.observe(song, \.title, options: [.initial, .new]) { (screen: SongViewController, _, change) in
      screen.title = change.newValue
    }
  }

  private func validityDidChange() {
    field.textColor = draft?.isValid == true ? .black : .red
  }
}
#endif
