// Somebody has to look at large orders first.
if (pricing.net > limit) pricing.stop(`${pricing.net} is more than ${limit}`)
