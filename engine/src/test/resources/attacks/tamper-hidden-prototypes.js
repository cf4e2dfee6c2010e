// => 1
for (const it of [Iterator.from({ next() {} }), [].values().map(x => x), ''.matchAll(/a/g), new Intl.Segmenter().segment('a'),
  new Intl.Segmenter().segment('a')[Symbol.iterator](), (async function* () {})(), list, map, f])
  for (let o = Object.getPrototypeOf(it); o && o !== Object.prototype; o = Object.getPrototypeOf(o)) try { o.evil = o.next = 'evil' } catch { } 1
