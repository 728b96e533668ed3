// How long a pass lasts; course_utils/decoding/roofline.py, held equal by tests/stage/test_costs.py.

const OPERATIONS = 2; // of each weight for each token

/** Seconds in which `size` bytes come from memory. */
export const memoryTime = (size, bandwidth) => size / bandwidth;

/** Seconds of arithmetic for `tokens` tokens. */
export const arithmeticTime = (parameters, tokens, operations) => (OPERATIONS * parameters * tokens) / operations;

/** Seconds of a pass over `tokens` tokens, at best. */
export const passTime = (size, bandwidth, parameters, tokens, operations) =>
  Math.max(memoryTime(size, bandwidth), arithmeticTime(parameters, tokens, operations));

/** Tokens in a pass whose arithmetic takes as long as the weights do to come. */
export const turningPoint = (size, bandwidth, parameters, operations) =>
  memoryTime(size, bandwidth) / arithmeticTime(parameters, 1, operations);
