#if canImport(Observation)
import KVOController
import Observation

/// A model with more properties than Observation's key paths are kept for.
final class Panel: KeyValueObject, Observable, @unchecked Sendable {
  @Observed var control0 = 0
  @Observed var control1 = 0
  @Observed var control2 = 0
  @Observed var control3 = 0
  @Observed var control4 = 0
  @Observed var control5 = 0
  @Observed var control6 = 0
  @Observed var control7 = 0
  @Observed var control8 = 0
  @Observed var control9 = 0
  @Observed var control10 = 0
  @Observed var control11 = 0
  @Observed var control12 = 0
  @Observed var control13 = 0
  @Observed var control14 = 0
  @Observed var control15 = 0
  @Observed var control16 = 0
  @Observed var control17 = 0
  @Observed var control18 = 0
  @Observed var control19 = 0
  @Observed var control20 = 0
  @Observed var control21 = 0
  @Observed var control22 = 0
  @Observed var control23 = 0
  @Observed var control24 = 0
  @Observed var control25 = 0
  @Observed var control26 = 0
  @Observed var control27 = 0
  @Observed var control28 = 0
  @Observed var control29 = 0
  @Observed var control30 = 0
  @Observed var control31 = 0
  @Observed var control32 = 0
  @Observed var control33 = 0
  @Observed var control34 = 0
  @Observed var control35 = 0
  @Observed var control36 = 0
  @Observed var control37 = 0
  @Observed var control38 = 0
  @Observed var control39 = 0
  @Observed var control40 = 0
  @Observed var control41 = 0
  @Observed var control42 = 0
  @Observed var control43 = 0
  @Observed var control44 = 0
  @Observed var control45 = 0
  @Observed var control46 = 0
  @Observed var control47 = 0
  @Observed var control48 = 0
  @Observed var control49 = 0
  @Observed var control50 = 0
  @Observed var control51 = 0
  @Observed var control52 = 0
  @Observed var control53 = 0
  @Observed var control54 = 0
  @Observed var control55 = 0
  @Observed var control56 = 0
  @Observed var control57 = 0
  @Observed var control58 = 0
  @Observed var control59 = 0
  @Observed var control60 = 0
  @Observed var control61 = 0
  @Observed var control62 = 0
  @Observed var control63 = 0
  @Observed var control64 = 0
  @Observed var control65 = 0
}
#endif
