import Foundation

extension Group {
  /// Coding models as JSON.
  static var coding: Group {
    Group("coding") {
      encoding("plain objects", make: CodedPlain.init)
      encoding("models", .beside("encode plain objects", atMost: 1.2), make: CodedModel.init)
      decoding("plain objects", make: CodedPlain.init)
      decoding("models", .beside("decode plain objects", atMost: 1.2), make: CodedModel.init)
    }
  }

  /// The size of the array that is coded. The cost of one object doesn't depend on it.
  private static let count = 1_000

  private static func encoding<Coded: Encodable>(
    _ name: String, _ comparisons: Comparison..., make: @escaping () -> Coded
  ) -> [Case] {
    [
      Case("encode \(name)", comparisons) {
        Trial(operations: count) {
          (0..<count).map { _ in make() }
        } work: { objects in
          use((try? JSONEncoder().encode(objects))?.count ?? 0)
        }
      }
    ]
  }

  private static func decoding<Coded: Codable>(
    _ name: String, _ comparisons: Comparison..., make: @escaping () -> Coded
  ) -> [Case] {
    [
      Case("decode \(name)", comparisons) {
        let data = (try? JSONEncoder().encode((0..<count).map { _ in make() })) ?? Data()
        return Trial(operations: count) {
          data
        } work: { data in
          guard let objects = try? JSONDecoder().decode([Coded].self, from: data), objects.count == count else {
            fatalError("the objects aren't decoded")
          }
        }
      }
    ]
  }
}
