// Promises and timers, as far as the host has to do with them. A run of a block drives its own: when its guest code
// has nothing more to do, the host calls back what is due.
(function (host, learn) {
  'use strict';
  // Taken now: later a name of the block's could stand in front of one of these.
  const { Math, Number, Promise, Reflect, TypeError } = globalThis;
  const { apply } = Reflect;
  const { then } = Promise.prototype;
  const settled = Promise.resolve();

  const follow = (promise, settle) =>
    apply(then, promise, [value => settle(false, value), reason => settle(true, reason)]);
  learn(follow, settled);

  const required = (callback, name) => {
    if (typeof callback !== 'function') throw new TypeError(`${name} needs a function`);
    return callback;
  };
  // As in browsers: what is no number is none, and a day in the far future is now.
  const millis = delay => {
    const given = Math.trunc(Number(delay));
    return given >= 1 && given <= 2_147_483_647 ? given : 1;
  };
  const schedule = (name, repeated) => (callback, delay, ...given) => {
    required(callback, name);
    return host.schedule(name, () => { callback(...given); }, millis(delay), repeated);
  };
  const later = schedule('setTimeout', false), often = schedule('setInterval', true);
  const cancel = id => { if (typeof id === 'number') host.cancel(id); };

  return {
    globals: {
      setTimeout(callback, delay, ...given) { return later(callback, delay, ...given); },
      setInterval(callback, delay, ...given) { return often(callback, delay, ...given); },
      clearTimeout(id) { cancel(id); },
      clearInterval(id) { cancel(id); },
      queueMicrotask(callback) {
        required(callback, 'queueMicrotask');
        apply(then, settled, [() => { callback(); }]);
      },
    },
    follow,
    raise(reason) { throw reason; },
    promise: begin => new Promise((resolve, reject) => { begin(resolve, reject); }),
  };
})
