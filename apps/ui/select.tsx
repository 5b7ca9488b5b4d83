// Choice of one from a few. Uses the browser's own list, which is accessible on every device.

import { type ReactNode, useId } from 'react';
import { INPUT } from './field.tsx';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export function Select<Value extends string>({
  choices,
  className = '',
  isLabelHidden = false,
  label,
  onValue,
  size = 'normal',
  value,
}: {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onValue(value: NoInfer<Value>): void;
  isLabelHidden?: boolean;
  size?: 'small' | 'normal';
  className?: string;
}): ReactNode {
  const id = useId();
  const look =
    size === 'normal'
      ? `${INPUT.replace('text-value', 'text-body')} pe-1`
      : 'h-6 rounded border border-transparent bg-raised ps-1 pe-0.5 text-label hover:border-edge';
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-label text-quiet'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onValue(target.value as Value)}
        className={look}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} className="bg-panel text-text">
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}
