// Gives one position of one layer back what it was in the clean sentence.
model.transformer.h[layer].output[0][position] = clean[layer][0][position]
