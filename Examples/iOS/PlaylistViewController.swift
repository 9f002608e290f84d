#if canImport(UIKit)
import KVOController
import UIKit

/// Shows a playlist in a table, and animates insertions and removals wherever they come from.
///
/// The view controller observes once, in `viewDidLoad`. Nothing is removed manually: the observations end with it.
final class PlaylistViewController: UITableViewController {
  private let playlist: Playlist

  init(_ playlist: Playlist) {
    self.playlist = playlist
    super.init(style: .plain)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("This view controller isn't in a storyboard.")
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(SongCell.self, forCellReuseIdentifier: SongCell.reuseIdentifier)
    navigationItem.leftBarButtonItem = editButtonItem
    navigationItem.rightBarButtonItem = UIBarButtonItem(barButtonSystemItem: .add, target: self, action: #selector(add))

    observe(playlist, \.summary, options: [.initial, .new]) { screen, _, change in
      screen.navigationItem.title = change.newValue
    }
    // The options ask for no values, because the table needs only the kind of the change and the indexes.
    observe(playlist, \.songs, options: []) { screen, _, change in
      screen.updateRows(change.kind, change.indexes)
    }
  }

  private func updateRows(_ kind: NSKeyValueChange, _ indexes: IndexSet?) {
    let rows = (indexes ?? []).map { IndexPath(row: $0, section: 0) }
    guard !rows.isEmpty, view.window != nil else {  // Another array, or nobody is looking.
      tableView.reloadData()
      return
    }
    switch kind {
    case .insertion: tableView.insertRows(at: rows, with: .automatic)
    case .removal: tableView.deleteRows(at: rows, with: .automatic)
    case .replacement: tableView.reloadRows(at: rows, with: .automatic)
    default: tableView.reloadData()
    }
  }

  @objc private func add() {
    playlist.insert(Song("New song"), at: 0)  // The observation inserts the row.
  }

  // MARK: Table view

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    playlist.songs.count
  }

  override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: SongCell.reuseIdentifier, for: indexPath)
    (cell as? SongCell)?.show(playlist.songs[indexPath.row])
    return cell
  }

  override func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
  ) {
    if editingStyle == .delete { playlist.remove(at: indexPath.row) }
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    show(SongViewController(playlist.songs[indexPath.row]), sender: self)
  }
}

/// Shows a song, and stays up to date while it does. Cells are reused, so it changes what it observes.
private final class SongCell: UITableViewCell {
  static let reuseIdentifier = "song"

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: .value1, reuseIdentifier: reuseIdentifier)
    accessoryType = .disclosureIndicator
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("This cell isn't in a storyboard.")
  }

  func show(_ song: Song) {
    kvoController.unobserveAll()  // The song of the row that the cell showed before.
    observe(song, \.title, options: [.initial, .new]) { cell, _, change in
      cell.textLabel?.text = change.newValue
    }
    observe(song, \.rating, options: [.initial, .new]) { cell, song, _ in
      cell.detailTextLabel?.text = song.rating.map { String(repeating: "★", count: $0) }
    }
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    kvoController.unobserveAll()
  }
}
#endif
