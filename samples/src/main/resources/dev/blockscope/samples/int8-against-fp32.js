// Runs in both models; what it keeps under one name is compared.
made = { embeddings: model.embeddings.output }
for (let i = 0; i < model.encoder.layer.length; i++) {
  made['layer ' + i] = model.encoder.layer[i].output
}
