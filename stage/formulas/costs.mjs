// The time of a pass: the twin of course_utils/theory/roofline.py, compared by tests/stage/test_formulas.py.

const OPERATIONS = 2; // of each weight for each token

/** Seconds to read `size` bytes from memory. */
export const memoryTime = (size, bandwidth) => size / bandwidth;

/** Seconds of arithmetic for `tokens` tokens. */
export const arithmeticTime = (parameters, tokens, operations) => (OPERATIONS * parameters * tokens) / operations;

/** Seconds of a pass over `tokens` tokens, at best. */
export const passTime = (size, bandwidth, parameters, tokens, operations) =>
  Math.max(memoryTime(size, bandwidth), arithmeticTime(parameters, tokens, operations));

/** Tokens in a pass for which arithmetic takes as long as reading the weights. */
export const turningPoint = (size, bandwidth, parameters, operations) =>
  memoryTime(size, bandwidth) / arithmeticTime(parameters, 1, operations);
