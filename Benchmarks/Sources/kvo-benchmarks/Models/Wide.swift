import KVOController

/// A property for each of four threads.
final class Wide: KeyValueObject {
  @Observed var number0 = 0
  @Observed var number1 = 0
  @Observed var number2 = 0
  @Observed var number3 = 0
}
