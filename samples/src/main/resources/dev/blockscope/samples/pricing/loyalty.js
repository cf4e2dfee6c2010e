// Who has been a customer for ten years gets five percent more off.
if (order.years >= 10) {
  const net = pricing.discount.input
  pricing.discount.output += 0.05 * net
  note = 'a loyal customer'
}
