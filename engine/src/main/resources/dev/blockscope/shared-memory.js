// Has shared buffers counted, which the language keeps outside of the heap. `take` answers whether a run may have so many
// bytes more.
(function (take) {
  'use strict';
  const { Number, Proxy, RangeError, SharedArrayBuffer } = globalThis;
  if (SharedArrayBuffer === undefined) return;
  const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const type = SharedArrayBuffer.prototype;
  const byteLength = getOwnPropertyDescriptor(type, 'byteLength').get;
  const ask = bytes => {
    if (!take(bytes)) throw new RangeError('Array buffer allocation failed');
  };
  // What is given is read once: it may answer something else the next time.
  const counting = new Proxy(SharedArrayBuffer, {
    construct(original, given, newTarget) {
      const size = Number(given[0] ?? 0), options = given[1];
      const most = typeof options === 'object' ? options?.maxByteLength : undefined;
      if (most === undefined) {
        ask(size);
        return construct(original, [size], newTarget);
      }
      const maxByteLength = Number(most);
      ask(maxByteLength);
      return construct(original, [size, { __proto__: null, maxByteLength }], newTarget);
    },
  });
  defineProperty(globalThis, 'SharedArrayBuffer', { value: counting });
  defineProperty(type, 'constructor', { value: counting });
  defineProperty(type, 'slice', {
    value: new Proxy(type.slice, {
      apply(original, self, given) {
        ask(apply(byteLength, self, []));
        return apply(original, self, given);
      },
    }),
  });
})
