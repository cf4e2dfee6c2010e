// => 
Object.getOwnPropertyNames(globalThis).filter(it => /blockscope|polyglot|graal|truffle/i.test(it)).join()
