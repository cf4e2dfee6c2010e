// => 1
Intl.NumberFormat.prototype.format = null; Intl.DateTimeFormat = null; Number.prototype.toLocaleString = () => 'evil'; 1
