// Keeps what every layer makes of the clean sentence.
clean = []
for (const layer of model.transformer.h) {
  clean.push(layer.output)
}
