#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The types of a class's stored properties, from the compiler's reflection metadata.
///
/// A `Mirror` isn't used, because a class can customize it. The standard library's public functions for this are
/// missing in its interface for Apple platforms, so this calls the functions of the runtime that they call. Their
/// arguments and results are words, which C and Swift pass alike. If the functions can't be found, or a class has no
/// such metadata, the result is empty.
package enum FieldTypes {
  /// The types of the stored properties that `type` itself declares, by name.
  package static func declared(by type: AnyClass) -> [String: Any.Type] {
    guard let metadata = metadata(of: type), let count, let child else { return [:] }
    let inherited = _getSuperclass(type).flatMap(Self.metadata(of:)).map(count) ?? 0
    var types: [String: Any.Type] = [:]
    for index in inherited..<max(inherited, count(metadata)) {
      var field = Field()
      let type = withUnsafeMutableBytes(of: &field) { field in
        field.baseAddress.map {
          let freeName = $0 + MemoryLayout<Field>.offset(of: \.freeName)!
          return unsafeBitCast(child(metadata, index, $0, freeName), to: Any.Type.self)
        }
      }
      if let name = field.name { types[String(cString: name)] = type }
      field.freeName?(field.name)
    }
    return types
  }

  /// The runtime's description of a field.
  private struct Field {
    var name: UnsafePointer<CChar>?
    var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVar = false
  }

  /// The metadata of a Swift class, which is the class itself; nil for an Objective-C class, which is only wrapped.
  private static func metadata(of type: AnyClass) -> UnsafeRawPointer? {
    let metadata = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
    #if canImport(ObjectiveC)
    return metadata == UnsafeRawPointer(Unmanaged.passUnretained(type as AnyObject).toOpaque()) ? metadata : nil
    #else
    return metadata
    #endif
  }

  private typealias Count = @convention(c) (UnsafeRawPointer) -> Int
  /// The function had another signature in Swift 5.2 and 5.3: the third argument was the address of the name, and the
  /// fourth that of the function that frees it. These are the first two words of a ``Field``, so it can be called either
  /// way: today's function ignores the fourth argument.
  private typealias Child =
    @convention(c) (UnsafeRawPointer, Int, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> UnsafeRawPointer

  private static let count = symbol("swift_reflectionMirror_recursiveCount").map { unsafeBitCast($0, to: Count.self) }
  private static let child = symbol("swift_reflectionMirror_recursiveChildMetadata").map {
    unsafeBitCast($0, to: Child.self)
  }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    #if os(Windows)
    nil
    #elseif canImport(Darwin)
    dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #else
    dlsym(nil, name)
    #endif
  }
}
