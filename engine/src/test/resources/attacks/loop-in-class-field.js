// => LIMIT
class A { x = (() => { for (;;); })() } new A()
