import KVOController

/// Programs about changes for a dispatch queue.
let queuePrograms: [Program] = [
  Program("queue-two-threads", "A dispatch queue gets the changes of two threads in order, one at a time.") {
    run in
    let stage = Stage()
    stage.observe(stage.node, onQueue: "sum")
    run.queue()
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      expect(stage.log.all, equals: [1, 3], [2, 3], [3, 3])
      expect(stage.deepest, equals: 1, as: "depth")
      stage.finish()
    }
  },

  Program("queue-ends", "Another thread ends an observation while a dispatch queue delivers its changes.") { run in
    let stage = Stage()
    stage.observe(stage.node, onQueue: "number")
    run.queue()
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.thread {
      stage.controller.unobserve(stage.node)
      let count = stage.log.count
      point()
      expect(stage.log.count <= count + 1, "two calls after the end")
    }
    run.check {
      expectInOrder(stage.log.all)
      stage.finish()
    }
  },
]
