// => STATEMENTS
({ get x() { for (;;); } })
