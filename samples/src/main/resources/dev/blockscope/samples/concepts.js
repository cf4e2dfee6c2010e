// Runs with two texts, one about food and one about cars: what does layer 3 make of them?
// Each is the mean over the tokens of one text, 384 numbers.
hidden = model.encoder.layer[3].output
food = hidden[0].mean(0)
cars = hidden[1].mean(0)
