// Puts a proxy behind the global object, so that a name it lacks is asked of the scope, and moves the language's own
// names behind the proxy, so that the scope is asked of them as well.
//
// Nothing of ours becomes an own property of the global object: that would slow down every builtin. `sweep` moves what
// guest code defined there past the proxy into the scope, and answers whether the realm can go on being used.
// `builtin` answers the value of one of the language's own names.
(function (find, bind, remove, declares, holds, absent) {
  'use strict';
  const { apply, defineProperty, deleteProperty, get,
          getOwnPropertyDescriptor, getPrototypeOf, has, isExtensible,
          ownKeys, set, setPrototypeOf } = Reflect;
  const global = globalThis;
  const { Object, Proxy, Reflect: reflect, Set, TypeError } = global;
  const { hasOwn } = Object;
  // A descriptor must not have what a block has put into the prototype of all objects.
  const own = descriptor => Object.setPrototypeOf(descriptor, null);
  const put = (key, value) => {
    if (!bind(key, value)) {
      throw new TypeError(`Assignment to constant "${key}"`);
    }
  };

  // The shell's own, which no other host of the language has.
  deleteProperty(global, 'arguments');
  // Direct eval needs its own name, and the rest cannot move.
  const builtins = Object.create(getPrototypeOf(global));
  for (const key of ownKeys(global)) {
    const property = getOwnPropertyDescriptor(global, key);
    if (property.configurable && key !== 'eval' && key !== 'globalThis') {
      // Nobody who lists the global object finds what the language's other hosts do not have.
      defineProperty(builtins, key, own({ ...property, enumerable: false }));
      deleteProperty(global, key);
    }
  }

  const proxy = new Proxy(builtins, {
    has: (target, key) =>
      typeof key === 'string' && find(key) !== absent || has(target, key),
    get: (target, key, receiver) => {
      if (typeof key === 'string') {
        const value = find(key);
        if (value !== absent) return value;
      }
      return get(target, key, receiver);
    },
    set: (target, key, value, receiver) => {
      if (typeof key === 'string' && receiver === global) {
        put(key, value);
        return true;
      }
      // An object that inherits from the global one has properties of its own.
      const done = set(target, key, value, receiver);
      if (typeof key === 'string' && hasOwn(global, key)) {
        // It was a proxy of the global object.
        deleteProperty(global, key);
        put(key, value);
      }
      return done;
    },
  });
  setPrototypeOf(global, proxy);

  // What the language does to a property past the traps.
  const wrap = (holder, name, around) => defineProperty(holder, name, {
    value: new Proxy(holder[name], {
      apply: (original, self, given) =>
        given[0] === global
          ? around(original, self, given)
          : apply(original, self, given),
    }),
  });
  wrap(reflect, 'deleteProperty', (original, self, given) =>
    apply(original, self, given)
      && (typeof given[1] !== 'string' || remove(given[1])));
  const isAccessor = descriptor =>
    descriptor instanceof Object
      && ('get' in descriptor || 'set' in descriptor);
  // Tried on a property like the name's own; what comes out is assigned.
  // A variable of the block can become no accessor, like any variable.
  const define = (original, self, [target, key, descriptor]) => {
    const value = typeof key === 'string' ? find(key) : absent;
    if (value === absent) {
      return apply(original, self, [target, key, descriptor]);
    }
    const trial = {};
    defineProperty(trial, key, own({
      value, writable: true, enumerable: true,
      configurable:
        !declares(key) && !(isAccessor(descriptor) && holds(key)),
    }));
    const result = apply(original, self, [trial, key, descriptor]);
    if (!result) return result;
    const property = getOwnPropertyDescriptor(trial, key);
    if (property.writable || holds(key)) {
      put(key, property.value);
    } else {
      defineProperty(global, key, own({ ...property, configurable: true }));
    }
    return result === trial ? target : result;
  };
  wrap(reflect, 'defineProperty', define);
  wrap(Object, 'defineProperty', define);
  const { defineProperty: defineOne } = Object;
  wrap(Object, 'defineProperties', (original, self, [target, all]) => {
    for (const key of ownKeys(Object(all))) {
      if (getOwnPropertyDescriptor(all, key).enumerable) {
        defineOne(target, key, all[key]);
      }
    }
    return target;
  });

  for (const name of ['__defineGetter__', '__defineSetter__']) {
    const parent = Object.prototype;
    defineProperty(parent, name, {
      value: new Proxy(parent[name], {
        apply: (original, self, given) => {
          if (self === global && holds(String(given[0]))) {
            throw new TypeError(`Cannot redefine property: ${String(given[0])}`);
          }
          return apply(original, self, given);
        },
      }),
    });
  }

  // The names that had to stay are names like any other: a block that assigns one has it for itself.
  const keeper = key => {
    const property = own(getOwnPropertyDescriptor(global, key));
    return () => {
      const now = getOwnPropertyDescriptor(global, key);
      if (now !== undefined && now.value === property.value) return true;
      if (now !== undefined) put(key, global[key]);
      return defineProperty(global, key, property);
    };
  };
  const keepsEval = keeper('eval');
  const keepsGlobalThis = keeper('globalThis');

  const isKnown = Set.prototype.has.bind(new Set(ownKeys(global)));
  let lent = new Set();
  const isLent = key => {
    const property = getOwnPropertyDescriptor(global, key);
    return property !== undefined && lent.has(property.get);
  };
  // What eval declares without a value is there, and bound to nothing.
  const isUnset = key => {
    const { value, writable, enumerable } = getOwnPropertyDescriptor(global, key);
    return value === undefined && writable && enumerable;
  };
  const sweep = over => {
    const keys = ownKeys(global);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (isKnown(key)) continue;
      if (typeof key === 'string' && !isLent(key)) {
        if (!isUnset(key)) {
          put(key, global[key]);
        } else if (!over) {
          continue;
        }
      }
      if (!deleteProperty(global, key)) return false;
    }
    lent = new Set();
    return keepsEval() && keepsGlobalThis()
      && isExtensible(global)
      && (getPrototypeOf(global) === proxy || setPrototypeOf(global, proxy));
  };
  // For code that declares global names, and must find them declared.
  const lend = names => {
    for (let i = 0; i < names.length; i++) {
      const key = names[i];
      if (find(key) === absent || getOwnPropertyDescriptor(global, key)) {
        continue;
      }
      const getter = () => find(key);
      lent.add(getter);
      defineProperty(global, key, own({
        get: getter, set: value => put(key, value),
        enumerable: true, configurable: true,
      }));
    }
  };
  const builtin = name => hasOwn(builtins, name) ? builtins[name] : absent;
  return { builtin, builtins, sweep, lend, same: it => it };
})
