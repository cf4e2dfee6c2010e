// Lists the language's own objects to `remember`, those included that no name leads to. Answers a function that says
// whether what is no property of theirs is as it was as well, and forgets the last match of a regular expression, which
// `RegExp.$1` tells to everybody.
(function (builtins, remember) {
  'use strict';
  const { Array, Int8Array, Map, Object, Reflect, RegExp, Set, Symbol } = builtins;
  const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const onAccessor = (object, key) => {
    const { get, set } = getOwnPropertyDescriptor(object, key);
    remember(onAccessor, get, set);
  };
  const iterators = [
    [], new Map(), new Set(), '', /a/[Symbol.matchAll]('a'), [].values().map(x => x),
  ].map(iterable => iterable[Symbol.iterator]());
  const functions = [
    function* () {}, async function () {}, async function* () {},
  ];
  remember(onAccessor, globalThis, builtins, getPrototypeOf(Int8Array),
    ...iterators.map(getPrototypeOf),
    ...iterators.map(iterator => getPrototypeOf(getPrototypeOf(iterator))),
    ...functions.map(getPrototypeOf),
    getPrototypeOf(getPrototypeOf(functions[0].prototype)),
    getPrototypeOf(getPrototypeOf(functions[2].prototype)),
    getPrototypeOf(getPrototypeOf(getPrototypeOf(functions[2].prototype))));
  const { exec } = RegExp.prototype;
  const forget = exec.bind(/(?:)/, '');
  const elements = Array.prototype;
  return () => {
    forget();
    return elements.length === 0;
  };
})
