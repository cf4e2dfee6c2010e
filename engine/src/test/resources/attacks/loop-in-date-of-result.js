// => any
class D extends Date { getTime() { for (;;); } valueOf() { for (;;); } toISOString() { for (;;); } [Symbol.toPrimitive]() { for (;;); } } new D(0)
