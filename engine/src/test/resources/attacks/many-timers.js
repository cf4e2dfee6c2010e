// => TIME or STATEMENTS or ALLOCATION or RUNTIME
for (;;) setTimeout(() => {}, 1e9)
