// Small parts that the money screens share.

import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useId } from 'react';
import { Button, marketName, useLook } from '../../ui/index.ts';
import { COIN_LOGOS } from './coin-logos.ts';
import { type MarketRow, sparkPaths } from './market-rows.ts';

/** Shows an asset by its logo or, as exchanges can list any asset, by its letters. */
export function CoinMark({ coin }: { coin: string }) {
  const logo = COIN_LOGOS[coin];
  if (logo !== undefined) {
    return (
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7 flex-none">
        <circle cx="16" cy="16" r="16" fill={logo.color} />
        <path
          d={logo.path}
          fill={logo.isFilled === true ? '#fff' : 'none'}
          stroke="#fff"
          strokeWidth={logo.isFilled === true ? 0 : 2.5}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    );
  }
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-7 flex-none items-center justify-center rounded-full border border-line bg-raised text-[8px] font-semibold text-accent"
    >
      {coin.slice(0, 4).toUpperCase()}
    </span>
  );
}

export function FavoriteStar({
  isOn,
  onToggle,
  symbol,
}: {
  symbol: string;
  isOn: boolean;
  onToggle(symbol: string): void;
}) {
  const { t } = useLook();
  return (
    <Button
      look="quiet"
      size="icon"
      aria-pressed={isOn}
      aria-label={t('markets.favourite', { pair: marketName(symbol) })}
      onClick={(event) => {
        event.stopPropagation();
        onToggle(symbol);
      }}
    >
      <Star size={14} aria-hidden="true" className={isOn ? 'fill-current text-warn' : ''} />
    </Button>
  );
}

/** Marks a market that does not accept every order. */
export function MarketMark({ status }: Pick<MarketRow, 'status'>) {
  const { t } = useLook();
  if (status === 'full') return null;
  return <span className="text-label text-warn">{t(`status.market_${status}`)}</span>;
}

/** Price line of the last day. Decorative, because the change next to it has the same content. */
export function SparkLine({
  className = '',
  height = 24,
  isDown,
  prices,
  width = 96,
}: {
  prices: readonly string[];
  isDown: boolean;
  width?: number;
  height?: number;
  className?: string;
}) {
  const id = useId();
  const paths = sparkPaths(prices, { width, height });
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      width={width}
      height={height}
      className={`${isDown ? 'text-down' : 'text-up'} ${className}`}
    >
      {paths !== undefined && (
        <>
          <defs>
            <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
              <stop offset="0" stopColor="currentColor" stopOpacity="0.25" />
              <stop offset="1" stopColor="currentColor" stopOpacity="0" />
            </linearGradient>
          </defs>
          <path d={paths.area} fill={`url(#${id})`} />
          <path
            d={paths.line}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </>
      )}
    </svg>
  );
}

export function SignInLink() {
  const { t } = useLook();
  return (
    <Link to="/sign-in" className="mt-1 text-accent hover:underline">
      {t('shell.signIn')}
    </Link>
  );
}

/** Formats a market as `BTC/USDT`. */
export function PairName({ symbol }: { symbol: string }) {
  const [base, quote] = symbol.toUpperCase().split('-');
  return (
    <bdi dir="ltr" className="font-semibold">
      {base}
      <span className="font-normal text-quiet">/{quote}</span>
    </bdi>
  );
}
