/// A collection whose elements Key-Value Coding reaches all at once.
protocol ObjectCollection {}

extension Array: ObjectCollection {}
extension ContiguousArray: ObjectCollection {}
extension Set: ObjectCollection {}
extension NSArray: ObjectCollection {}
extension NSSet: ObjectCollection {}
extension NSOrderedSet: ObjectCollection {}
