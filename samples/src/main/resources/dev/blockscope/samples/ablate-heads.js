// Takes one head away: its share of what the attention of a layer makes becomes zero.
const made = model.encoder.layer[layer].attention.self.output
const width = 384 / heads
made.slice(2, head * width, (head + 1) * width).fill_(0)
