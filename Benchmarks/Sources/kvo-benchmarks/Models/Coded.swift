import Foundation
import KVOController

/// A model that is coded.
final class CodedModel: KeyValueObject, Codable {
  @Observed var title = "Stardust"
  @Observed var seconds = 191
  @Observed var rating: Int?
  @Observed var released = Date(timeIntervalSinceReferenceDate: 0)
  @Observed var tags = ["jazz", "ballad"]
}

/// The same with plain properties.
final class CodedPlain: Codable {
  var title = "Stardust"
  var seconds = 191
  var rating: Int?
  var released = Date(timeIntervalSinceReferenceDate: 0)
  var tags = ["jazz", "ballad"]
}
