import KVOController

/// Keys that depend on a property: each on the one before it, and each on the property itself.
final class Dependent: KeyValueObject {
  @Observed var number = 0

  var chain1: Int { number + 1 }
  var chain2: Int { chain1 + 1 }
  var chain3: Int { chain2 + 1 }
  var chain4: Int { chain3 + 1 }
  var chain5: Int { chain4 + 1 }
  var chain6: Int { chain5 + 1 }
  var chain7: Int { chain6 + 1 }
  var chain8: Int { chain7 + 1 }

  var fan1: Int { number + 1 }
  var fan2: Int { number + 2 }
  var fan3: Int { number + 3 }
  var fan4: Int { number + 4 }
  var fan5: Int { number + 5 }
  var fan6: Int { number + 6 }
  var fan7: Int { number + 7 }
  var fan8: Int { number + 8 }

  override class var keyPaths: [String: AnyKeyPath] {
    [
      "chain1": \Dependent.chain1, "chain2": \Dependent.chain2, "chain3": \Dependent.chain3,
      "chain4": \Dependent.chain4, "chain5": \Dependent.chain5, "chain6": \Dependent.chain6,
      "chain7": \Dependent.chain7, "chain8": \Dependent.chain8,
      "fan1": \Dependent.fan1, "fan2": \Dependent.fan2, "fan3": \Dependent.fan3, "fan4": \Dependent.fan4,
      "fan5": \Dependent.fan5, "fan6": \Dependent.fan6, "fan7": \Dependent.fan7, "fan8": \Dependent.fan8,
    ]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "chain2": ["chain1"]
    case "chain3": ["chain2"]
    case "chain4": ["chain3"]
    case "chain5": ["chain4"]
    case "chain6": ["chain5"]
    case "chain7": ["chain6"]
    case "chain8": ["chain7"]
    case "number": []
    default: ["number"]
    }
  }
}
