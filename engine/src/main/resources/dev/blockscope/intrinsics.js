// Lists the language's own objects to `remember`, those included that no name leads to: the prototypes of iterators, and
// those that values of the host have, of which some are given. Answers a function that says
// whether what is no property of theirs is as it was as well, and forgets the last match of a regular expression, which
// `RegExp.$1` tells to everybody.
(function (builtins, remember, ofHost) {
  'use strict';
  const { Array, Int8Array, Intl, Iterator, Map, Object, Proxy, Reflect, RegExp, Set, Symbol } = builtins;
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const onAccessor = (object, key) => {
    const { get, set } = getOwnPropertyDescriptor(object, key);
    remember(onAccessor, get, set);
  };
  const onCall = (holder, name, around) => defineProperty(holder, name, {
    value: new Proxy(holder[name], { apply: around }),
  });

  // The language would keep what is registered for all contexts, and for as long as there is one.
  const MOST_SYMBOLS = 10_000;
  const { get, set } = Map.prototype;
  const symbols = new Map(), keys = new Map();
  let registered = 0;
  onCall(Symbol, 'for', (original, self, given) => {
    const key = `${given[0]}`;
    const known = apply(get, symbols, [key]);
    if (known !== undefined) return known;
    const symbol = Symbol(key);
    apply(set, symbols, [key, symbol]);
    apply(set, keys, [symbol, key]);
    registered++;
    return symbol;
  });
  onCall(Symbol, 'keyFor', (original, self, given) => apply(get, keys, given) ?? apply(original, self, given));
  // Made when somebody asks for them: to make one here would load the rules of all languages for each context.
  let segmented = false;
  onCall(Intl.Segmenter.prototype, 'segment', (original, self, given) => {
    const segments = apply(original, self, given);
    if (!segmented) {
      segmented = true;
      remember(onAccessor, getPrototypeOf(segments), getPrototypeOf(segments[Symbol.iterator]()));
    }
    return segments;
  });

  const iterators = [
    [], new Map(), new Set(), '', /a/[Symbol.matchAll]('a'), [].values().map(x => x),
  ].map(iterable => iterable[Symbol.iterator]());
  const functions = [
    function* () {}, async function () {}, async function* () {},
  ];
  remember(onAccessor, globalThis, builtins, getPrototypeOf(Int8Array),
    ...iterators.map(getPrototypeOf),
    ...iterators.map(iterator => getPrototypeOf(getPrototypeOf(iterator))),
    getPrototypeOf(Iterator.from({ next() {} })),
    ...Array.from(ofHost, value => Object.getPrototypeOf(value)),
    ...functions.map(getPrototypeOf),
    getPrototypeOf(getPrototypeOf(functions[0].prototype)),
    getPrototypeOf(getPrototypeOf(functions[2].prototype)),
    getPrototypeOf(getPrototypeOf(getPrototypeOf(functions[2].prototype))));
  const { exec } = RegExp.prototype;
  const forget = exec.bind(/(?:)/, '');
  const elements = Array.prototype;
  return () => {
    forget();
    return elements.length === 0 && registered < MOST_SYMBOLS;
  };
})
