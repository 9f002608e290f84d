// Uses a class that is compiled without reflection metadata, in the way that the argument names. All but one stop.

import KVOController

final class Song: KeyValueObject {
  @Observed var title = ""
}

let song = Song()
let observer = Song()
let controller = KVOController(observer: observer)
switch CommandLine.arguments[1] {
case "typed": controller.observe(song, \.title) { _, _ in }
case "named": controller.observe(song, keyPath: "title", options: [], block: { _, _, _ in })
case "foundation": song.addObserver(observer, forKeyPath: "title", options: [], context: nil)
case "coding": song.setValue("x", forKey: "title")
default:
  song.title += "x"
  song.title = "y"
  print(song.title)
}
