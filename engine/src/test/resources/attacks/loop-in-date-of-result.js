// => 1970-01-01T00:00:00Z
class D extends Date { getTime() { for (;;); } valueOf() { for (;;); } toISOString() { for (;;); } [Symbol.toPrimitive]() { for (;;); } } new D(0)
