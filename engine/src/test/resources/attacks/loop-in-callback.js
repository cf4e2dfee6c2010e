// => STATEMENTS
each(() => { for (;;); })
