// Field for money. Its value is text from the key to the wire: digits beyond the increment cannot
// be typed, and nothing is rounded silently.

import type { InputHTMLAttributes, KeyboardEvent, Ref } from 'react';
import { add, compare, isDecimal, scaleOf, subtract, typedDecimal } from '../decimals/index.ts';
import { Field, type FieldTexts } from './field.tsx';

export function DecimalField({
  increment,
  onValue,
  value,
  ...rest
}: FieldTexts &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type'> & {
    /** Increment, for example `0.0001`. Up and Down add and subtract it. */
    increment: string;
    value: string;
    onValue(text: string): void;
    ref?: Ref<HTMLInputElement>;
  }) {
  const scale = scaleOf(increment);
  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const now = isDecimal(value) ? value : '0';
    const next = event.key === 'ArrowUp' ? add(now, increment) : subtract(now, increment);
    event.preventDefault();
    if (compare(next, '0') >= 0) onValue(next);
  };
  return (
    <Field
      {...rest}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      dir="ltr"
      value={value}
      onKeyDown={step}
      onChange={({ target }) => {
        const typed = typedDecimal(target.value, scale);
        if (typed !== undefined) onValue(typed);
      }}
    />
  );
}
