// Values in two columns, a sentence with an action next to it, and a label in a frame.

import type { ReactNode } from 'react';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly act?: ReactNode;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="flex flex-col">
      {facts.map(({ act, label, value }) => (
        <div
          key={label}
          className="flex min-h-9 items-center gap-3 border-b border-line px-2 py-1 text-body last:border-b-0"
        >
          <dt className="w-2/5 flex-none text-quiet">{label}</dt>
          <dd className="min-w-0 flex-1 break-words">{value}</dd>
          {act !== undefined && <dd className="flex-none">{act}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** A sentence with an action next to it. */
export function Line({ act, children }: { children: ReactNode; act?: ReactNode }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-2 py-2 text-body">
      <div className="min-w-0 flex-1 basis-56 text-quiet">{children}</div>
      {act}
    </div>
  );
}

export function Chip({ children, color }: { children: ReactNode; color: string }) {
  return (
    <span
      className={`inline-flex items-center rounded border border-current px-1.5 text-label whitespace-nowrap ${color}`}
    >
      {children}
    </span>
  );
}
