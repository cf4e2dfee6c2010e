// => undefined
[typeof Java, typeof Packages, typeof Polyglot, typeof java, typeof load, typeof loadWithNewGlobal, typeof Graal,
 typeof require, typeof process, typeof read, typeof quit, typeof exit, typeof WebAssembly, typeof JavaImporter]
  .filter(it => it !== 'undefined').join() || undefined
