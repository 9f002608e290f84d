#if canImport(UIKit)
import KVOController
import UIKit

/// Edits a song. Whatever else shows the song observes it, so nothing needs to be passed back.
final class SongViewController: UIViewController {
  private let song: Song
  private let titleField = UITextField()
  private let ratingControl = UISegmentedControl(items: ["1", "2", "3", "4", "5"])

  init(_ song: Song) {
    self.song = song
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("This view controller isn't in a storyboard.")
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    layOut()
    titleField.addTarget(self, action: #selector(titleFieldDidChange), for: .editingChanged)
    ratingControl.addTarget(self, action: #selector(ratingControlDidChange), for: .valueChanged)

    observe(song, \.title, options: [.initial, .new]) { screen, song, _ in
      screen.navigationItem.title = song.title
      // While the user types, the text is there already. Setting it would move the cursor.
      if screen.titleField.text != song.title { screen.titleField.text = song.title }
    }
    observe(song, \.rating, options: [.initial, .new]) { screen, song, _ in
      screen.ratingControl.selectedSegmentIndex = song.rating.map { $0 - 1 } ?? UISegmentedControl.noSegment
    }
  }

  @objc private func titleFieldDidChange() {
    song.title = titleField.text ?? ""
  }

  @objc private func ratingControlDidChange() {
    song.rating = ratingControl.selectedSegmentIndex + 1
  }

  private func layOut() {
    view.backgroundColor = .systemBackground
    titleField.borderStyle = .roundedRect
    titleField.font = .preferredFont(forTextStyle: .body)
    titleField.adjustsFontForContentSizeCategory = true
    titleField.accessibilityLabel = "Title"
    ratingControl.accessibilityLabel = "Rating"

    let stack = UIStackView(arrangedSubviews: [titleField, ratingControl])
    stack.axis = .vertical
    stack.spacing = 16
    stack.translatesAutoresizingMaskIntoConstraints = false
    view.addSubview(stack)
    NSLayoutConstraint.activate([
      stack.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 16),
      stack.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
      stack.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
    ])
  }
}
#endif
