// Statistics of series: moments, autocorrelation, tail index. Plain formulas.

export function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

export function deviation(values: readonly number[]): number {
  return Math.sqrt(moment(values, 2));
}

/** 3 for a normal distribution. */
export function kurtosis(values: readonly number[]): number {
  return moment(values, 4) / moment(values, 2) ** 2;
}

export function autocorrelation(values: readonly number[], lag: number): number {
  const middle = mean(values);
  let sum = 0;
  for (let at = lag; at < values.length; at += 1) {
    sum += (values[at] - middle) * (values[at - lag] - middle);
  }
  return sum / values.length / moment(values, 2);
}

export function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [middleX, middleY] = [mean(xs), mean(ys)];
  let sum = 0;
  for (const [at, x] of xs.entries()) sum += (x - middleX) * (ys[at] - middleY);
  return sum / xs.length / (deviation(xs) * deviation(ys));
}

/** Returns Hill's estimate of the tail index from the largest share of absolute values. */
export function tailIndex(values: readonly number[], share = 0.05): number {
  const sizes = values.map(Math.abs).toSorted((one, other) => other - one);
  const count = Math.max(Math.floor(sizes.length * share), 2);
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += Math.log(sizes[at] / sizes[count]);
  return count / sum;
}

/** Returns logarithmic returns over `step` values. */
export function returns(prices: readonly number[], step: number): number[] {
  const found: number[] = [];
  for (let at = step; at < prices.length; at += step) {
    found.push(Math.log(prices[at] / prices[at - step]));
  }
  return found;
}

function moment(values: readonly number[], power: number): number {
  const middle = mean(values);
  let sum = 0;
  for (const value of values) sum += (value - middle) ** power;
  return sum / values.length;
}
