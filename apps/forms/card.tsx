// Card for screens without a session: one column in the middle of the page.

import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';

export function Card({
  children,
  step,
  text,
  title,
}: {
  title: string;
  text?: ReactNode;
  children: ReactNode;
  /** Changes with each step, so its title is announced and focused. */
  step: string;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(step);
  useEffect(() => {
    if (step !== first.current) heading.current?.focus();
    first.current = step;
  }, [step]);
  return (
    <div className="flex flex-1 flex-col items-center justify-center px-3 py-8">
      <div className="flex w-full max-w-sm flex-col gap-4 rounded border border-line bg-panel p-6 max-sm:p-4">
        <header className="flex flex-col gap-1">
          <h1 ref={heading} tabIndex={-1} className="text-price font-semibold outline-none">
            {title}
          </h1>
          {text !== undefined && <p className="text-body text-quiet">{text}</p>}
        </header>
        {children}
      </div>
    </div>
  );
}

/** A divider with a word in its middle, between two alternatives. */
export function OrLine({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 text-label text-quiet">
      <span className="h-px flex-1 bg-line" />
      {children}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}
