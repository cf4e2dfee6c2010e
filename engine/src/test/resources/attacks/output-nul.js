// => 1
console.log('\0\x1b[2J\r\nWARN forged line\u2028\ud800'); console.error('%c', '\n'.repeat(100)); 1
