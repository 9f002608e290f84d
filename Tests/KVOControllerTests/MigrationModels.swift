import KVOController

// The declarations that a client of FBKVOController has to change, and only for platforms without Objective-C.

#if canImport(ObjectiveC)
class TaskList: NSObject {
  @objc dynamic var title = ""
  @objc dynamic var tasks: [String] = []
  @objc dynamic var done = 0
  @objc dynamic var owner: TaskOwner?
}

class TaskOwner: NSObject {
  @objc dynamic var name = ""
}

class TaskScreen: NSObject {}
#else
class TaskList: KeyValueObject {
  @Observed var title = ""
  @Observed var tasks: [String] = []
  @Observed var done = 0
  @Observed var owner: TaskOwner?
}

class TaskOwner: KeyValueObject {
  @Observed var name = ""
}

class TaskScreen: KeyValueObject {}
#endif
