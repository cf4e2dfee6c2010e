// => TIME
for (;;) { try { sleep(10000) } catch (e) {} }
