// => LIMIT
each(() => { for (;;); })
