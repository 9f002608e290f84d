/// Every program.
let allPrograms: [Program] =
  settingPrograms + pathPrograms + inPlacePrograms + byHandPrograms
