// Parts that the order lists share: a scrolling area, the side and the market.

import type { ReactNode } from 'react';
import { marketName, useLook } from '../../ui/index.ts';

/** Rows in a scrolling area that is reachable by keyboard. */
export function Scroll({ children, label }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area needs the keyboard.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
    >
      {children}
    </section>
  );
}

export function SideWord({ side }: { side: 'buy' | 'sell' }) {
  const { t } = useLook();
  return <span className={side === 'buy' ? 'text-up' : 'text-down'}>{t(`trade.${side}`)}</span>;
}

export function PairText({ symbol }: { symbol: string }) {
  return <bdi dir="ltr">{marketName(symbol)}</bdi>;
}
