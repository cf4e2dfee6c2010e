// => STATEMENTS
'aaa'.replace(/a/g, () => { for (;;); })
