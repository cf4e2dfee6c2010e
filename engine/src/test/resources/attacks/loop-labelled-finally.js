// => STATEMENTS
a: for (;;) { try { continue a } finally { b: for (;;) { try { break b } finally { continue a } } } }
