// How much each token looks at each other: the row of a token adds up to 1.
const self = `/encoder/layer.${layer}/attention/self`
attention = model.tensor(self + '/Softmax_output_0').output[0][head]
