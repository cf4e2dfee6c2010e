// => 1 or TIME
try { Function(...Array(1e4).fill('a'), 'return 1') } catch { } try { (() => 1)(...Array(1e6)) } catch { } 1
