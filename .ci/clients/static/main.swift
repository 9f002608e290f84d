import Foundation
import KVOController

/// Decimal numbers, which can't be cast to `NSNumber` in a static executable.
final class Invoice: KeyValueObject {
  @Observed var count = 0
  @Observed var isPaid = false
  @Observed var share = 0.0
  @Observed var number: NSNumber = 0
  @Observed var prices: [Decimal] = [1.5, 2]
  @Observed var mixed: [Any] = [Decimal(3), 2]
}

let invoice = Invoice()
for key in ["count", "isPaid", "share", "number"] { invoice.setValue(Decimal(7), forKey: key) }
precondition(invoice.count == 7 && invoice.isPaid && invoice.share == 7 && invoice.number == 7)
precondition(invoice.value(forKeyPath: "prices.@sum.self") as? NSDecimalNumber == 3.5)
precondition(invoice.value(forKeyPath: "prices.@avg.self") as? NSDecimalNumber == 1.75)
precondition(invoice.value(forKeyPath: "mixed.@min.self") as? Int == 2)
print("decimal numbers are numbers in a static executable")
