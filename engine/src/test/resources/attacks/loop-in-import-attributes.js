// => STATEMENTS
import('x', { get with() { for (;;); } })
