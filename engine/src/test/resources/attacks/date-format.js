// => 1 or TIME
try { new Intl.NumberFormat('en', { minimumFractionDigits: 1e9 }) } catch { } try { new Date(8.64e15).toLocaleString('x'.repeat(1e6)) } catch { } try { (1).toFixed(1e9) } catch { } 1
