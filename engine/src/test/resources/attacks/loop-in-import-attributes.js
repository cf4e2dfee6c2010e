// => LIMIT
import('x', { get with() { for (;;); } })
