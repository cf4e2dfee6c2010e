// => TIME or STATEMENTS or RUNTIME
for (;;) setTimeout(() => {}, 1e9)
