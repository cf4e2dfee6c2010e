// => LIMIT
'aaa'.replace(/a/g, () => { for (;;); })
