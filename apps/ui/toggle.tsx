// Switch that takes effect immediately, and checkbox for a form.

import type { ReactNode } from 'react';

interface ToggleProps {
  readonly label: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  onChange(isOn: boolean): void;
}

export function Toggle({ isDisabled = false, isOn, label, onChange }: ToggleProps) {
  return (
    <label className="inline-flex min-h-6 items-center gap-2 text-body">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
        className="peer relative h-4 w-7 flex-none appearance-none rounded-full border border-edge bg-raised before:absolute before:inset-s-0.5 before:top-0.5 before:size-2.5 before:rounded-full before:bg-edge checked:border-accent checked:before:inset-s-3.5 checked:before:bg-accent forced-colors:appearance-auto"
      />
      <span>{label}</span>
    </label>
  );
}

export function Checkbox({ isDisabled = false, isOn, label, onChange }: ToggleProps) {
  return (
    <label className="inline-flex min-h-6 items-center gap-1.5 text-body">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
        className="size-3.5 flex-none accent-accent"
      />
      <span>{label}</span>
    </label>
  );
}
