// How much each token looks at each other: the row of a token adds up to 1.
const self = model.encoder.layer[layer].attention.self
const width = 384 / heads
const ofHead = made => made[0].slice(1, head * width, (head + 1) * width)

const queries = ofHead(self.query.output)
const keys = ofHead(self.key.output)
attention = queries.matmul(keys.T).div(Math.sqrt(width)).softmax(-1)
