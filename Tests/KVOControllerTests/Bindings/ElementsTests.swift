import KVOController
import Testing
import _KVOTestSupport

/// The elements of a collection are observed while they are in it.
@Suite struct ElementsTests {
  private let basket = Basket()
  private let clerk = Clerk()
  private let tea = Good("tea", price: 1)
  private let milk = Good("milk", price: 2)
  private let bread = Good("bread", price: 3)

  @Test func elementsThatAreThereAndThatComeAreObserved() {
    basket.goods = [tea]
    let token = clerk.watch(basket)
    tea.price = 10
    basket.goods.append(milk)
    milk.price = 20
    basket.goods = [bread, milk]
    bread.price = 30
    #expect(clerk.take() == ["tea 1>10", "milk 2>20", "bread 3>30"])
    #expect(token.isValid && token.object === basket && token.keyPath == "goods")
  }

  @Test func elementsThatLeftAreSilent() {
    basket.goods = [tea, milk, bread]
    clerk.watch(basket)
    basket.goods.remove(at: 1)
    milk.price = 0
    basket.goods = []
    tea.price = 0
    bread.price = 0
    #expect(clerk.take() == [])
    #expect([tea, milk, bread].allSatisfy { $0.registrationCount == 0 })
    basket.goods = [milk]
    milk.price = 5
    #expect(clerk.take() == ["milk 0>5"])
  }

  @Test func anElementIsObservedOnceHoweverOftenItIsThere() {
    basket.goods = [tea, milk, tea]
    clerk.watch(basket)
    tea.price = 2
    basket.goods.append(tea)
    basket.goods.removeFirst()
    basket.goods.swapAt(0, 2)
    tea.price = 3
    basket.goods = [milk, tea]
    tea.price = 4
    basket.goods.removeLast()
    tea.price = 5
    #expect(clerk.take() == ["tea 1>2", "tea 2>3", "tea 3>4"])
  }

  @Test func proxiesChangeWhichElementsAreObserved() {
    clerk.watch(basket)
    let goods = basket.mutableArrayValue(forKey: "goods")
    goods.add(tea)
    goods.insert(milk, at: 0)
    tea.price = 2
    milk.price = 3
    goods.replaceObject(at: 0, with: bread)
    milk.price = 0
    bread.price = 4
    goods.removeObjects(at: [0, 1])
    bread.price = 0
    tea.price = 0
    #expect(clerk.take() == ["tea 1>2", "milk 2>3", "bread 3>4"])
    goods.addObjects(from: [tea, tea, milk])
    goods.removeObject(at: 0)
    goods.insert([bread, tea], at: [0, 2])
    tea.price = 1
    bread.price = 1
    #expect(clerk.take() == ["tea 0>1", "bread 0>1"])
    goods.remove(tea)
    tea.price = 0
    #expect(clerk.take() == [])
  }

  @Test func setsAndTheirProxies() {
    basket.favorites = [tea, milk]
    clerk.observe(basket, elements: \.favorites, \.price) { clerk, good, _ in clerk.note(good.name) }
    tea.price += 1
    basket.favorites.insert(bread)
    basket.favorites.remove(tea)
    tea.price += 1
    bread.price += 1
    let favorites = basket.mutableSetValue(forKey: "favorites")
    favorites.remove(milk)
    favorites.add(tea)
    milk.price += 1
    tea.price += 1
    favorites.setSet([milk])
    milk.price += 1
    bread.price += 1
    #expect(clerk.take() == ["tea", "bread", "tea", "milk"])
  }

  @Test func optionalArrays() {
    clerk.observe(basket, elements: \.offers, \.price) { clerk, good, _ in clerk.note(good.name) }
    tea.price += 1
    basket.offers = [tea]
    tea.price += 1
    basket.offers?.append(milk)
    milk.price += 1
    basket.offers = nil
    tea.price += 1
    basket.mutableArrayValue(forKey: "offers").add(bread)
    bread.price += 1
    #expect(clerk.take() == ["tea", "milk", "bread"])
  }

  @Test func initialCallsAlsoForThoseThatCome() {
    basket.goods = [tea, milk, tea]
    clerk.watch(basket, options: [.initial, .new])
    #expect(clerk.take() == ["tea ->1", "milk ->2"])
    basket.goods = [bread, milk, tea]
    #expect(clerk.take() == ["bread ->3"])
    basket.goods.removeLast()
    basket.goods.append(tea)
    #expect(clerk.take() == ["tea ->1"])
  }

  @Test func pathsThroughElements() {
    clerk.observe(basket, elements: \.goods, \.part?.name) { clerk, good, change in
      clerk.note("\(good.name) \((change.newValue ?? nil) ?? "nil")")
    }
    basket.goods = [tea]
    tea.part = milk
    milk.name = "cream"
    basket.goods = []
    milk.name = "milk"
    #expect(clerk.take() == ["tea milk", "tea cream"])
  }

  @Test func aCollectionAtTheEndOfAPath() {
    let other = Basket()
    other.goods = [tea]
    clerk.observe(basket, elements: \.next?.goods, \.price) { clerk, good, _ in clerk.note(good.name) }
    clerk.observe(basket, elements: \.next!.goods, \.name) { clerk, good, _ in clerk.note("name of \(good.name)") }
    basket.next = other
    tea.price += 1
    other.goods.append(milk)
    milk.price += 1
    milk.name = "cream"
    basket.next = nil
    milk.price += 1
    milk.name = "milk"
    other.goods = [bread]
    bread.price += 1
    #expect(clerk.take() == ["tea", "milk", "name of cream"])
    withExtendedLifetime(other) {}
  }

  @Test func aComputedCollection() {
    clerk.observe(basket, elements: \.cheapGoods, \.name) { clerk, good, _ in clerk.note(good.name) }
    let cake = Good("cake", price: 50)
    basket.goods = [tea, cake]
    tea.name = "green tea"
    cake.name = "a cake"
    #expect(clerk.take() == ["green tea"])
  }

  // MARK: One observation

  @Test func eachCallIsAnObservationOfItsOwn() {
    let token = clerk.watch(basket)
    let second = clerk.observe(basket, elements: \.goods, \.price) { clerk, _, _ in clerk.note("second") }
    basket.goods = [tea]
    tea.price = 2
    #expect(clerk.take().sorted() == ["second", "tea 1>2"])
    second.invalidate()
    #expect(token.isValid && second.object == nil)
    tea.price = 3
    #expect(clerk.take() == ["tea 2>3"])
  }

  @Test func withAnIdentifierTheSameAgainReplaces() {
    func observe(_ text: String, _ options: NSKeyValueObservingOptions = .new) -> KVOObservation {
      clerk.observe(basket, elements: \.goods, \.price, options: options, identifier: 1) { clerk, _, _ in
        clerk.note(text)
      }
    }
    basket.goods = [tea]
    let token = observe("first")
    clerk.observe(basket, elements: \.goods, \.name, identifier: 1) { clerk, _, _ in clerk.note("name") }
    clerk.observe(basket, \.goods, identifier: 1) { clerk, _, _ in clerk.note("goods") }
    let second = observe("second", .initial)
    #expect(clerk.take() == ["second"])
    #expect(!token.isValid && second.isValid)
    tea.price = 2
    tea.name = "coffee"
    basket.goods = []
    #expect(clerk.take() == ["second", "name", "goods"])
    clerk.unobserve(basket, \.goods, identifier: 1)
    #expect(!second.isValid && basket.registrationCount == 0)
  }

  @Test func everyEndEndsAllOfIt() {
    let ends: [(Clerk, Basket, KVOObservation) -> Void] = [
      { _, _, token in token.invalidate() },
      { clerk, basket, _ in clerk.unobserve(basket) },
      { clerk, _, _ in clerk.kvoController.unobserveAll() },
    ]
    for end in ends {
      basket.goods = [tea, milk]
      let token = clerk.watch(basket)
      end(clerk, basket, token)
      #expect(!token.isValid)
      tea.price += 1
      basket.goods = [bread]
      bread.price += 1
      #expect(clerk.take() == [])
      #expect(basket.registrationCount == 0 && tea.registrationCount == 0 && bread.registrationCount == 0)
    }
  }

  @Test(arguments: [false, true]) func theEndOfTheKeyPathEndsIt(isByName: Bool) {
    basket.goods = [tea]
    let token = clerk.watch(basket)
    clerk.unobserve(basket, \.goods, identifier: 1)
    #expect(token.isValid)
    if isByName { clerk.kvoController.unobserve(basket, keyPath: "goods") } else { clerk.unobserve(basket, \.goods) }
    #expect(!token.isValid)
    tea.price += 1
    #expect(clerk.take() == [] && tea.registrationCount == 0)
  }

  @Test func otherObservationsOfAnElementAreIndependent() {
    basket.goods = [tea]
    clerk.observe(tea, \.price) { clerk, _, _ in clerk.note("single") }
    clerk.watch(basket)
    tea.price = 2
    #expect(Set(clerk.take()) == ["single", "tea 1>2"])
    clerk.unobserve(tea, \.price)
    tea.price = 3
    clerk.unobserve(tea)
    tea.price = 4
    #expect(clerk.take() == ["tea 2>3", "tea 3>4"])
    clerk.observe(tea, \.price) { clerk, _, _ in clerk.note("single") }
    basket.goods = []
    tea.price = 5
    #expect(clerk.take() == ["single"])
  }

  @Test func anElementInTwoCollections() {
    let other = Basket()
    basket.goods = [tea]
    other.goods = [tea]
    clerk.watch(basket)
    clerk.watch(other)
    tea.price = 2
    other.goods = []
    tea.price = 3
    #expect(clerk.take() == ["tea 1>2", "tea 1>2", "tea 2>3"])
  }

  // Key paths have no names in descriptions then.
  @Test func theControllerShowsOneObservation() {
    basket.goods = [tea, milk]
    let token = clerk.watch(basket, options: [.initial, .new])
    #expect(clerk.kvoController.observations.map(\.keyPath) == ["goods"])
    #expect(token.options == [.initial, .new])
    #expect(clerk.kvoController.debugDescription.contains("goods"))
    // Swift doesn't always find the name of the property.
    #expect(clerk.kvoController.debugDescription.contains("\\Good."))
  }

  // MARK: Lifetimes

  @Test func elementsThatLeftAreReleased() {
    clerk.watch(basket)
    weak var gone: Good?
    do {
      let good = Good("gone")
      gone = good
      basket.goods = [tea, good]
    }
    #expect(gone != nil)
    basket.goods.removeLast()
    #expect(gone == nil)
  }

  @Test func nothingRetainsTheObserver() {
    weak var gone: Clerk?
    do {
      let clerk = Clerk()
      gone = clerk
      basket.goods = [tea]
      clerk.watch(basket)
    }
    #expect(gone == nil)
    #expect(basket.registrationCount == 0 && tea.registrationCount == 0)
    basket.goods = [milk]
    tea.price += 1
  }

  @Test func theElementsGoWithTheirOwnerWhenItIsUnobserved() {
    weak var (goneBasket, goneGood): (Basket?, Good?) = (nil, nil)
    do {
      let (basket, good) = (Basket(), Good())
      (goneBasket, goneGood) = (basket, good)
      basket.goods = [good]
      clerk.watch(basket)
    }
    #expect(goneBasket != nil && goneGood != nil)
    goneBasket.map { clerk.unobserve($0) }
    #expect(goneBasket == nil && goneGood == nil)
  }

  final class Family: Basket, @unchecked Sendable {
    var calls: [String] = []

    func begin() {
      observe(self, elements: \.goods, \.price) { family, good, _ in family.calls.append(good.name) }
    }
  }

  @Test func anOwnerObservesItsOwnElements() {
    weak var gone: Family?
    do {
      let family = Family()
      gone = family
      family.begin()
      family.goods = [tea]
      tea.price += 1
      #expect(family.calls == ["tea"])
    }
    #expect(gone == nil)
    #expect(tea.registrationCount == 0)
    tea.price += 1
  }

  final class Member: KeyValueObject {
    @Observed var members: [Member] = []
    @Observed var age = 0
    var calls = 0

    func begin() {
      observe(self, elements: \.members, \.age) { observer, member, _ in
        #expect(observer === member)
        observer.calls += 1
      }
    }
  }

  @Test func anElementMayBeTheObserver() {
    weak var gone: Member?
    do {
      let member = Member()
      gone = member
      member.begin()
      member.members = [member]
      member.age = 1
      #expect(member.calls == 1)
      member.members = []
      member.age = 2
      #expect(member.calls == 1)
      member.members = [member]
      member.age = 3
      #expect(member.calls == 2)
      member.members = []
    }
    #expect(gone == nil)
  }

  @Test func anElementChangesInItsDeinit() {
    final class Last: Good, @unchecked Sendable {
      deinit { price = 100 }
    }
    clerk.watch(basket)
    basket.goods = [tea, Last("last")]
    basket.goods.removeLast()
    #expect(clerk.take() == [])
    basket.goods.append(Last("last"))
    basket.goods = []
    #expect(clerk.take() == [])
  }

  // MARK: Changes inside of handlers

  @Test func anElementThatLeftIsSilentForTheOtherObserversOfThatChange() {
    basket.goods = [tea, milk]
    let (early, late) = (Clerk(), Clerk())
    for (watcher, order) in [(early, 0), (late, 1)] {
      if order == 1 { clerk.watch(basket) }
      watcher.observe(basket, \.goods, options: [.new, .prior]) { [tea] watcher, basket, change in
        watcher.note("\(change.isPrior)")
        if !change.isPrior, !basket.goods.contains(tea) { tea.price += 1 }
      }
    }
    basket.goods.removeFirst()
    #expect(clerk.take() == [])
    basket.goods = [tea]
    basket.mutableArrayValue(forKey: "goods").removeObject(at: 0)
    #expect(clerk.take() == [])
    basket.goods = [tea]
    basket.goods = [milk]
    #expect(clerk.take() == [])
    milk.price = 7
    #expect(clerk.take() == ["milk 2>7"])
  }

  @Test func whatAnElementChangesWithinAMutationInPlaceIsDeliveredAtOnce() {
    basket.goods = [tea, milk]
    clerk.watch(basket)
    func mutate(_ goods: inout [Good]) {
      goods[0].price = 5
      goods.removeFirst()
      // Membership is what the last change has said.
      tea.price = 6
      goods.append(bread)
      bread.price = 7
      #expect(clerk.take() == ["tea 1>5", "tea 5>6"])
      goods[0].price = 8
    }
    mutate(&basket.goods)
    for good in [tea, milk, bread] { good.price = 9 }
    #expect(clerk.take() == ["milk 2>8", "milk 8>9", "bread 7>9"])
  }

  @Test func aHandlerChangesAnotherElementWithinAMutationInPlace() {
    basket.goods = [tea, milk]
    clerk.observe(basket, elements: \.goods, \.price) { [milk] clerk, good, change in
      clerk.note("\(good.name) \(change.newValue ?? 0)")
      if good !== milk { milk.price = 100 }
    }
    basket.goods.removeAll { good in
      good.price += 1
      return false
    }
    #expect(clerk.take() == ["tea 2", "milk 100", "milk 101"])
    #expect(milk.price == 101)
  }

  @Test func anEndWithinAMutationInPlaceRetainsNothing() {
    weak var (goneGood, goneCapture): (Good?, Clerk?) = (nil, nil)
    let clerk = clerk
    do {
      let (good, capture) = (Good("gone"), Clerk())
      (goneGood, goneCapture) = (good, capture)
      basket.goods = [good]
      let token = clerk.observe(basket, elements: \.goods, \.price) { _, _, _ in capture.note("") }
      basket.goods.removeAll { good in
        good.price += 1
        token.invalidate()
        good.price += 1
        return true
      }
      #expect(capture.take().count == 1)
    }
    #expect(goneGood == nil && goneCapture == nil)
  }

  /// A basket with collections that are computed from mutated ones.
  final class Shelf: KeyValueObject, @unchecked Sendable {
    @Observed var goods: [Good] = []
    @Observed var byName: [String: Good] = [:]
    @Observed var isRead = 0
    let reads = Locked(0)
    var visible: [Good] {
      reads.add()
      return goods.filter { $0.name != "hidden" }
    }
  }

  @Test func elementsOfAComputedCollectionChangeWhileItsSourceIsMutatedInPlace() {
    let shelf = Shelf()
    let mutations: [(inout [Good]) -> Void] = [
      { goods in
        goods.removeAll { good in
          good.price += 1
          return false
        }
      },
      { goods in
        goods.sort { left, right in
          left.price += 1
          return left.name < right.name
        }
      },
      { goods in goods.withUnsafeMutableBufferPointer { $0[0].price += 1 } },
      { goods in for good in goods { good.price += 1 } },
    ]
    for mutation in mutations {
      shelf.goods = [milk, tea]
      clerk.observe(shelf, elements: \.visible, \.price) { clerk, good, change in
        clerk.note("\(good.name) \((change.newValue ?? 0) - (change.oldValue ?? 0))")
      }
      mutation(&shelf.goods)
      #expect(!clerk.take().isEmpty)
      milk.price += 1
      #expect(clerk.take() == ["milk 1"])
      clerk.unobserve(shelf)
    }
  }

  @Test func elementsOfADictionaryChangeWhileItIsMutatedInPlace() {
    let shelf = Shelf()
    shelf.byName = ["tea": tea, "milk": milk]
    clerk.observe(shelf, elements: \.byName.values, \.price) { clerk, good, change in
      clerk.note("\(good.name) \(change.oldValue ?? 0)>\(change.newValue ?? 0)")
    }
    shelf.byName.merge(["tea": bread, "milk": milk]) { old, new in
      old.price += 1
      return new
    }
    #expect(Set(clerk.take()) == ["tea 1>2", "milk 2>3"])
    bread.price = 7
    tea.price = 8
    #expect(clerk.take() == ["bread 3>7"])
    shelf.byName["milk"]?.price = 9
    #expect(clerk.take() == ["milk 3>9"])
  }

  @Test func changesOfElementsDoNotReadTheCollection() {
    let shelf = Shelf()
    let goods = (0..<100).map { Good("\($0)") }
    shelf.goods = goods
    clerk.observe(shelf, elements: \.visible, \.price) { clerk, good, _ in clerk.note(good.name) }
    let watcher = Clerk()
    watcher.observe(shelf, \.goods) { [goods] _, _, _ in for good in goods { good.price += 1 } }
    shelf.reads.withLock { $0 = 0 }
    shelf.goods.append(Good("hidden"))
    #expect(clerk.take().count == 100 && shelf.reads.current < 5)
    watcher.unobserve(shelf)
    shelf.willChangeValue(forKey: "goods")
    shelf.reads.withLock { $0 = 0 }
    for good in goods { good.price += 1 }
    #expect(clerk.take().count == 100 && shelf.reads.current == 0)
  }

  @Test func elementsBehindAWeakObjectGoWithIt() {
    final class Node: KeyValueObject {
      @ObservedWeak var parent: Node?
      @Observed var children: [Good] = []
    }
    let node = Node()
    weak var gone: Good?
    do {
      let parent = Node()
      let child = Good("child")
      gone = child
      parent.children = [child, tea]
      node.parent = parent
      clerk.observe(node, elements: \.parent?.children, \.price) { clerk, good, _ in clerk.note(good.name) }
      tea.price = 5
      #expect(clerk.take() == ["tea"])
    }
    #expect(gone == nil && tea.registrationCount == 0)
    tea.price = 6
    #expect(clerk.take() == [])
    let parent = Node()
    parent.children = [tea]
    node.parent = parent
    tea.price = 7
    #expect(clerk.take() == ["tea"])
  }

  @Test func aPairByHandThatIsNeverEndedRetainsNothingOfAnObservationThatHasEnded() {
    weak var gone: Good?
    do {
      let good = Good("gone")
      gone = good
      basket.goods = [good]
      let token = clerk.watch(basket)
      basket.willChangeValue(forKey: "goods")
      token.invalidate()
      #expect(good.registrationCount == 0)
      basket.goods = []
    }
    #expect(gone == nil)
  }

  @Test func aHandlerThatReadsTheCollectionOverlapsWithItsMutation() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (basket, clerk) = (Basket(), Clerk())
      basket.goods = [Good()]
      clerk.observe(basket, elements: \.goods, \.price) { [unowned basket] _, _, _ in _ = basket.goods.count }
      basket.goods.removeAll { good in
        good.price += 1
        return true
      }
    }
    #expect(said("imultaneous access", in: result))
  }

  @Test func priorCallsAreRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Clerk().watch(Basket(), options: [.new, .prior])
    }
    #expect(said("elements of \"goods\"", "with .prior", "Use the old value", in: result))
  }

  @Test func aKeyPathOfElementsThatCannotBeObserved() async {
    let constant = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Clerk().observe(Basket(), elements: \.goods, \.identity) { _, _, _ in }
    }
    #expect(said("is a constant (`let`)", "marked @Observed", "elements of type Good", in: constant))
    let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Clerk().observe(Basket(), elements: \.goods, \.self) { _, _, _ in }
    }
    #expect(said("\\.self has no key", "Observe one of its properties", in: itself))
    let plain = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Clerk().observe(Basket(), elements: \.goods, \.note) { _, _, _ in }
    }
    #expect(said("reads no @Observed property", "Mark the property @Observed", in: plain))
  }

  @Test func aHandlerRemovesItsElement() {
    basket.goods = [tea, milk]
    clerk.observe(basket, elements: \.goods, \.price) { [basket] clerk, good, change in
      clerk.note("\(good.name) \(change.newValue ?? 0)")
      basket.goods.removeAll { $0 === good }
      good.price = 100
    }
    tea.price = 5
    milk.price = 6
    tea.price = 7
    #expect(clerk.take() == ["tea 5", "milk 6"])
    clerk.unobserve(basket)
  }

  @Test func aHandlerOfAnInitialCallReplacesTheCollection() {
    let goods = [tea, milk, bread]
    basket.goods = goods
    clerk.observe(basket, elements: \.goods, \.price, options: [.initial, .new]) { [basket] clerk, good, change in
      clerk.note("\(good.name) \(change.isInitial)")
      if good === goods[0], change.isInitial { basket.goods = [goods[2], goods[0]] }
    }
    #expect(clerk.take() == ["tea true", "bread true"])
    for good in goods { good.price += 1 }
    #expect(clerk.take() == ["tea false", "bread false"])
    clerk.unobserve(basket)
  }

  @Test func aHandlerOfAnInitialCallRemovesItsElementAndAddsItAgain() {
    var isFirst = true
    clerk.observe(basket, elements: \.goods, \.price, options: [.initial, .new]) { [basket] clerk, good, change in
      clerk.note("\(good.name) \(change.isInitial)")
      guard isFirst else { return }
      isFirst = false
      basket.goods.removeFirst()
      basket.goods.append(good)
    }
    basket.goods = [tea]
    tea.price = 5
    #expect(clerk.take() == ["tea true", "tea true", "tea false"])
    clerk.unobserve(basket)
  }

  @Test func aPairByHandThatIsNeverEndedLosesNothing() {
    basket.goods = [tea]
    clerk.watch(basket)
    basket.willChangeValue(forKey: "goods")
    tea.price = 2
    basket.goods = [milk]
    tea.price = 3
    milk.price = 4
    basket.mutableArrayValue(forKey: "goods").add(tea)
    tea.price = 5
    #expect(clerk.take() == ["tea 1>2", "milk 2>4", "tea 3>5"])
  }

  @Test func aHandlerEndsTheObservation() {
    basket.goods = [tea, milk]
    let token = Locked<KVOObservation?>(nil)
    token.withLock {
      $0 = clerk.observe(basket, elements: \.goods, \.price, options: .initial) { [basket] clerk, good, change in
        clerk.note(good.name)
        clerk.unobserve(basket)
      }
    }
    #expect(clerk.take() == ["tea"])
    #expect(token.current?.isValid == false)
    milk.price += 1
    #expect(clerk.take() == [])
  }

  @Test func nestedChangesByProxies() {
    clerk.watch(basket)
    let watcher = Clerk()
    watcher.observe(basket, \.goods, options: []) { [tea, milk, bread] _, basket, change in
      let goods = basket.mutableArrayValue(forKey: "goods")
      if change.kind == .insertion, basket.goods.contains(tea) {
        goods.remove(tea)
        goods.insert(milk, at: 0)
      } else if change.kind == .removal {
        basket.goods = [bread] + basket.goods
      }
    }
    basket.mutableArrayValue(forKey: "goods").add(tea)
    #expect(basket.goods == [milk, bread] || basket.goods == [bread, milk])
    for good in [tea, milk, bread] { good.price = 9 }
    #expect(clerk.take() == ["milk 2>9", "bread 3>9"])
  }

  @Test func silentChangesAreFoundWithTheNextOne() {
    final class Quiet: Basket, @unchecked Sendable {
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "goods" }
    }
    let basket = Quiet()
    basket.goods = [tea]
    clerk.watch(basket)
    basket.goods = [milk]
    tea.price = 2
    #expect(clerk.take() == ["tea 1>2"])
    basket.willChangeValue(forKey: "goods")
    basket.goods = [bread]
    basket.didChangeValue(forKey: "goods")
    tea.price = 3
    bread.price = 4
    #expect(clerk.take() == ["bread 3>4"])
  }

  // MARK: Threads and actors

  @Test func oneThreadReplacesAndAnotherSetsElements() {
    let goods = (0..<8).map { Good("\($0)") }
    let (basket, clerk) = (basket, clerk)
    clerk.watch(basket)
    onThreads(3) { thread in
      for round in 0..<2_000 {
        switch thread {
        case 0: basket.goods = (0..<4).map { goods[(round + $0) % 8] }
        default: goods[(round * thread) % 4 + (thread - 1) * 4].price = round
        }
      }
    }
    _ = clerk.take()
    basket.goods = Array(goods[2..<4])
    for good in goods { good.price = -1 }
    #expect(clerk.take().filter { $0.hasSuffix(">-1") }.map { $0.prefix(1) } == ["2", "3"])
    #expect(goods.filter { $0.registrationCount > 0 }.count == 2)
  }

  @Test func observationsBeginAndEndWhileTheCollectionIsReplaced() {
    let goods = (0..<4).map { Good("\($0)") }
    let basket = basket
    // So that the basket is observed all the time.
    clerk.observe(basket, \.goods) { _, _, _ in }
    onThreads(3) { thread in
      let clerk = Clerk()
      for round in 0..<1_000 {
        switch thread {
        case 0: basket.goods = [goods[round % 4], goods[(round + 1) % 4]]
        default:
          clerk.watch(basket)
          clerk.unobserve(basket)
        }
      }
    }
    clerk.unobserve(basket)
    #expect(goods.allSatisfy { $0.registrationCount == 0 })
  }

  @Test func oneThreadChangesByProxyAndAnotherSetsElements() {
    let goods = (0..<8).map { Good("\($0)") }
    let (basket, clerk) = (basket, clerk)
    clerk.watch(basket, options: [.initial, .new])
    onThreads(3) { thread in
      let proxy = basket.mutableArrayValue(forKey: "goods")
      for round in 0..<2_000 {
        switch thread {
        case 0:
          proxy.insert(goods[round % 8], at: round % (proxy.count + 1))
          if proxy.count > 4 { proxy.removeObject(at: round % 4) }
        default: goods[(round * thread) % 4 + (thread - 1) * 4].price = round
        }
      }
    }
    let present = Set(basket.goods.map(\.name))
    _ = clerk.take()
    for good in goods { good.price = -1 }
    #expect(Set(clerk.take()) == Set(present.map { "\($0) ->-1" }))
    basket.goods = []
    #expect(goods.allSatisfy { $0.observersDescription.isEmpty })
  }

  @MainActor final class Screen: KeyValueObject {
    var calls: [String] = []

    func begin(_ basket: Basket) {
      observe(basket, elements: \.goods, \.price, options: [.initial, .new]) { screen, good, change in
        screen.calls.append("\(good.name) \(change.newValue ?? 0)")
      }
    }
  }

  @MainActor @Test func whatWaitsForAnActorIsDroppedWhenItsElementLeft() async {
    let screen = Screen()
    let (basket, tea, milk) = (basket, tea, milk)
    basket.goods = [tea, milk]
    screen.begin(basket)
    #expect(screen.calls == ["tea 1", "milk 2"])
    screen.calls = []
    tea.price = 3
    #expect(screen.calls == ["tea 3"])
    screen.calls = []
    // The main actor can't run before this has ended.
    #expect(
      finishes {
        tea.price = 4
        milk.price = 5
        basket.goods = [milk]
        tea.price = 6
      })
    milk.price = 7
    #expect(screen.calls == ["milk 5", "milk 7"])
    screen.calls = []
    #expect(
      finishes {
        basket.goods = [tea, milk]
        milk.price = 8
        tea.price = 9
      })
    while screen.calls.count < 3 { await Task.yield() }
    #expect(screen.calls == ["tea 6", "milk 8", "tea 9"])
  }

  @MainActor final class Dial: KeyValueObject {
    var calls: [String] = []

    func begin(_ basket: Basket) {
      observe(basket, elements: \.goods, \.price) { dial, good, change in
        dial.calls.append("\(good.name) \(change.oldValue ?? 0)>\(change.newValue ?? 0)")
      }
      observe(basket, elements: \.goods, \.part?.name) { dial, good, change in
        dial.calls.append("part \(change.newValue.flatMap { $0 } ?? "-")")
      }
      observe(basket, elements: \.goods, \.isDear) { dial, good, change in
        dial.calls.append("dear \(change.newValue.map(String.init) ?? "-")")
      }
    }
  }

  /// The actor mutates in place what another thread's changes belong to.
  @MainActor @Test func anotherThreadChangesElementsDuringAMutationInPlaceOnTheActor() async {
    let dial = Dial()
    let (basket, tea, milk, bread) = (basket, tea, milk, bread)
    basket.goods = [tea, milk]
    dial.begin(basket)
    var isFirst = true
    basket.goods.sort { left, right in
      guard isFirst else { return left.name < right.name }
      isFirst = false
      #expect(
        finishes {
          tea.price = 2
          tea.price += 1
          tea.part = bread
        })
      tea.price = 40
      #expect(dial.calls.filter { $0.hasPrefix("tea") } == ["tea 1>2", "tea 2>3", "tea 3>40"])
      return left.name < right.name
    }
    while dial.calls.count < 7 { await Task.yield() }
    #expect(dial.calls.filter { $0.hasPrefix("tea") } == ["tea 1>2", "tea 2>3", "tea 3>40"])
    #expect(dial.calls.filter { $0.hasPrefix("part") } == ["part bread"])
    #expect(dial.calls.filter { $0.hasPrefix("dear") }.last == "dear true")
    #expect(!dial.calls.contains("dear -"))
    dial.kvoController.unobserveAll()
  }
}
