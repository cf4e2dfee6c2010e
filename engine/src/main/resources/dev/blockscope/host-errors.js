// A host exception that a block catches comes in a carrier; its name is that of what is carried.
(function (carrier, nameOf) {
  'use strict';
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const errors = Object.getPrototypeOf(carrier);
  const { get: usual, ...property } = getOwnPropertyDescriptor(errors, 'name');
  defineProperty(errors, 'name', {
    ...property,
    get() {
      return nameOf(this) ?? apply(usual, this, []);
    },
  });
})
