// => STATEMENTS
class A { x = (() => { for (;;); })() } new A()
