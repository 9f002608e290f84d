// A program that uses each part of the package that has code of its own on Apple platforms.
import KVOController

#if canImport(Combine)
import Combine
#endif

final class Song: KeyValueObject {
  @Observed var title = ""
}

final class Label: KeyValueObject {
  @Observed var text = ""
}

let (song, label) = (Song(), Label())
label.observe(song, \.title) { label, _, change in label.text = change.newValue ?? "" }
label.bind(song, \.title, to: \.text)
label.kvoController.observe(Progress(), keyPath: "fractionCompleted", action: #selector(NSObject.description))
song.setValue("a", forKey: "title")
#if canImport(Combine)
let subscription = song.publisher(for: \.title).sink { print($0) }
#endif
print(label.text)
