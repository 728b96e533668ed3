// Seeded uniforms (mulberry32, Tommy Ettinger 2017, public domain): for pictures, not for proofs.

/** A function that returns the next uniform in [0, 1) on each call. */
export function mulberry(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** uniforms(i) -> the three uniforms of round i, the same on every call. */
export function rounds(seed) {
  const [next, known] = [mulberry(seed), []];
  return i => {
    while (known.length <= i) known.push([next(), next(), next()]);
    return known[i];
  };
}
