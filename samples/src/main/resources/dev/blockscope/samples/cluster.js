// Runs beside the model, on whichever worker is free; what it assigns comes back.
{
  // How large the vector of each token is, without the marks at both ends.
  const size = model.encoder.layer[3].output[0].norm(-1).slice(0, 1, -1)
  loudest = tokens[1 + size.argmax()]
  loudness = size.max()
}
