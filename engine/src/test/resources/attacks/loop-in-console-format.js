// => STATEMENTS
const hostile = { toString() { for (;;); }, valueOf() { for (;;); }, toJSON() { for (;;); }, [Symbol.toPrimitive]() { for (;;); } };
console.log('%s %d %i %f %o %O %c %%', hostile, hostile, hostile, hostile, hostile, hostile, hostile); console.log(hostile, '%j', hostile); console.count(hostile)
