// => STATEMENTS
import({ toString() { for (;;); } })
