// => LIMIT
({ get x() { for (;;); } })
