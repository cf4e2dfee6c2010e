// => undefined
Error.prepareStackTrace = (e, frames) => frames; const seen = [];
const look = () => {
  const frames = new Error('x').stack;
  for (const f of Array.isArray(frames) ? frames : []) {
    const file = String(f.getFileName && f.getFileName());
    if (/blockscope-|fallback|console\.js/.test(file)) seen.push(file, typeof (f.getFunction && f.getFunction()), typeof (f.getThis && f.getThis()));
  }
  return 'k';
};
console.log({ [Symbol.toStringTag]: 1, toString: look }, '%s', { toString: look });
Object.defineProperty(globalThis, { toString: look }, { value: 1, configurable: true, writable: true });
seen.join() || undefined
