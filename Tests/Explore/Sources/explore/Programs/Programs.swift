/// Every program.
let allPrograms: [Program] =
  settingPrograms + dyingPrograms + pathPrograms + morePathPrograms + dependentPrograms + inPlacePrograms
  + moreInPlacePrograms + byHandPrograms + moreByHandPrograms + controllerPrograms + bindingPrograms
  + deliveryPrograms + readingPrograms + turnPrograms + selectivePrograms + sequencePrograms + mailboxPrograms
  + elementPrograms + againPrograms
