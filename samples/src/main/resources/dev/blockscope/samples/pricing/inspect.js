// Looks on: what each line comes to, and what is asked in the end.
note = 'nothing special'
amounts = []
for (const line of pricing.line.iter(0, order.lines.length)) amounts.push(line.amount)
total = pricing.total
