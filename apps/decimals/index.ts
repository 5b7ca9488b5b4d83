// Amounts as texts: exact arithmetic, and how screens show them.

export {
  add,
  compare,
  divide,
  isDecimal,
  isMultipleOf,
  isPositive,
  isZero,
  largest,
  least,
  multiply,
  negated,
  type Rounding,
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
  type NumberLook,
  splitTrailingZeros,
  sum,
  type TimeForm,
} from './format.ts';
