// A program that has the binary framework, and only the interfaces of its modules.

import PlayerKit

final class Single: Song {
  @Observed var price = 1
}

final class Drawer: Shelf {
  @KVOController.Observed var label = ""
}

func play() async {
  let (song, player) = (Single(), Player())
  player.play(song)
  song.title = "A"
  song.plays += 1
  player.kvoController.observe(song, \.price) { song, change in song.title = "\(change.newValue ?? 0)" }
  let (drawer, album) = (Drawer(), Album())
  drawer.observe(song)
  drawer.song = song
  drawer.former = song
  album.songs.append(song)
  drawer.kvoController.observe(album, \.songs) { album, change in print(album, change) }
  let change: KVOChange<String>? = drawer.change
  let observation: KVOObservation? = drawer.observation
  print(change ?? "", observation ?? "", drawer.controllers.keys.first ?? player.kvoController, drawer.block)
  #if canImport(Observation)
  if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) { print(drawer.observableSong?.title ?? "") }
  #endif
  for await plays in player.values(of: song) where plays > 1 { break }
}
