// => LIMIT
import({ toString() { for (;;); } })
