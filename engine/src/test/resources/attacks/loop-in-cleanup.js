// => 1 or TIME
const r = new FinalizationRegistry(() => { for (;;); }); for (let i = 0; i < 1e4; i++) r.register({}, i, {}); new WeakRef({}).deref(); 1
