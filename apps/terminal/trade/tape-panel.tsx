// Latest public trades, newest first. The list pauses while the pointer is over it.

import { memo, useState } from 'react';
import type { PublicTrade } from '../../../client/index.ts';
import { compare, maximum, multiply, scaleOf } from '../../decimals/index.ts';
import { Panel, type PanelState, stateOfList, useCell, useLook } from '../../ui/index.ts';
import type { MarketFeed } from './market-feed.ts';
import type { Market } from './order-draft.ts';

/** A trade of this share of the largest visible one counts as large. */
const LARGE_SHARE = '0.6';

export function TapePanel({
  className = '',
  feed,
  market,
  stale,
}: {
  feed: MarketFeed;
  market: Market;
  stale: PanelState | undefined;
  className?: string;
}) {
  const { t } = useLook();
  const [held, setHeld] = useState<readonly PublicTrade[]>();
  const live = useCell(feed.trades);
  const trades = held ?? live ?? [];
  const known = stateOfList({ data: live, error: null }, t('trade.noTrades'));
  const large = multiply(maximum(trades.map(({ size }) => size)), LARGE_SHARE);
  return (
    <Panel
      title={t('trade.trades')}
      state={live !== undefined && stale !== undefined ? stale : known}
      className={className}
      skeletonRows={10}
      after={
        held !== undefined && <span className="text-label text-warn">{t('trade.paused')}</span>
      }
    >
      <div className="grid flex-none grid-cols-3 px-2 pt-1 text-label text-quiet">
        <span>{t('trade.price')}</span>
        <span className="text-end">{t('trade.size')}</span>
        <span className="text-end">{t('trade.time')}</span>
      </div>
      <ol
        className="min-h-0 flex-1 overflow-hidden"
        onPointerEnter={() => setHeld(live)}
        onPointerLeave={() => setHeld(undefined)}
      >
        {trades.map((trade) => (
          <TapeRow
            key={trade.id}
            trade={trade}
            isLarge={compare(trade.size, large) >= 0}
            priceScale={scaleOf(market.increment_price)}
            sizeScale={scaleOf(market.increment_size)}
          />
        ))}
      </ol>
    </Panel>
  );
}

const TapeRow = memo(function TapeRow({
  isLarge,
  priceScale,
  sizeScale,
  trade,
}: {
  trade: PublicTrade;
  isLarge: boolean;
  priceScale: number;
  sizeScale: number;
}) {
  const { number, t, time } = useLook();
  const isBuy = trade.side === 'buy';
  return (
    <li className="grid h-5 grid-cols-3 items-center px-2">
      <span className={isBuy ? 'text-up' : 'text-down'}>
        <span className="sr-only">{t(isBuy ? 'trade.buy' : 'trade.sell')} </span>
        {number(trade.price, priceScale)}
      </span>
      <span className={`text-end ${isLarge ? 'font-semibold' : ''}`}>
        {number(trade.size, sizeScale)}
      </span>
      <span className="text-end text-quiet">{time(trade.timestamp)}</span>
    </li>
  );
});
