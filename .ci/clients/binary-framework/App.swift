// A program that has the binary framework, and only the interfaces of its modules.

import PlayerKit

final class Single: Song {
  @Observed var price = 1
}

func play() async {
  let (song, player) = (Single(), Player())
  player.play(song)
  song.title = "A"
  song.plays += 1
  player.kvoController.observe(song, \.price) { song, change in song.title = "\(change.newValue ?? 0)" }
  for await plays in player.values(of: song) where plays > 1 { break }
}
