// Hands what a layer makes to the end of the model, as if the layers between did nothing.
model.transformer.h[last].output = model.transformer.h[layer].output
