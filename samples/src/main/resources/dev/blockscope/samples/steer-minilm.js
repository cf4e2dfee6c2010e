// Turns the sentences about cars towards food while the model runs.
direction = food.sub(cars)
strength = 1.5
steered = sentences.filter(sentence => /\b(car|engine|mechanic)\b/.test(sentence))

// Waits until the model is at the end of layer 3: [sentences, tokens, 384].
hidden = model.encoder.layer[3].output
for (const sentence of steered) {
  hidden[sentences.indexOf(sentence)].add_(direction.mul(strength))
}
model.encoder.layer[3].output = hidden
