// Amounts as text: exact arithmetic and formatting.

export {
  add,
  compare,
  divide,
  isDecimal,
  isMultipleOf,
  isPositive,
  isZero,
  least,
  multiply,
  scaleOf,
  subtract,
  toIncrement,
  trimmed,
  typedDecimal,
  withScale,
} from './decimal.ts';
export {
  changeRatio,
  formatCompact,
  formatDecimal,
  formatPercent,
  formatTime,
  maximum,
  splitTrailingZeros,
  sum,
  type TimeForm,
} from './format.ts';
