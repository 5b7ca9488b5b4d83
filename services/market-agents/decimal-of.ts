// Converts ticks and lots to decimals for requests, without floating-point digits.

/** Returns `count` times a step, which is a power of ten. */
export function decimalOf(count: number, step: number): string {
  const digits = Math.max(0, Math.round(-Math.log10(step)));
  return (count * step).toFixed(digits);
}
