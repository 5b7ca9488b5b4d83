// Labeled input with its hint and its error. The error is announced and linked to the input.

import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';

export const INPUT =
  'h-control w-full min-w-0 rounded border border-edge bg-raised px-2 text-value text-text ' +
  'aria-invalid:border-down disabled:opacity-60';

export interface FieldTexts {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Shown at the end of the input, for example a unit. */
  readonly after?: ReactNode;
}

export function Field({
  after,
  className = '',
  dir,
  error,
  hint,
  isLabelHidden = false,
  label,
  ...rest
}: FieldTexts & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  const notes = `${id}-notes`;
  const hasNotes = error !== undefined || hint !== undefined;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-label text-quiet'}>
        {label}
      </label>
      <div dir={dir} className="relative flex items-center">
        <input
          id={id}
          {...rest}
          aria-invalid={error === undefined ? rest['aria-invalid'] : true}
          aria-describedby={hasNotes ? notes : undefined}
          className={`${INPUT} ${after === undefined ? '' : 'pe-16'}`}
        />
        {after !== undefined && (
          <span className="pointer-events-none absolute inset-e-2 text-label text-quiet">
            {after}
          </span>
        )}
      </div>
      {hasNotes && (
        <div id={notes} className="text-label text-quiet" aria-live="polite">
          {error === undefined ? hint : <span className="text-down">{error}</span>}
        </div>
      )}
    </div>
  );
}
