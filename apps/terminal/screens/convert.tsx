// Quick trade: converts an amount of one asset into another at a quoted price, or not at all.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowUpDown, CheckCircle2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { type Constants, type KnownOrder, type Quote, RialtoError } from '../../../client/index.ts';
import { compare, isPositive, scaleOf, trimmed } from '../../decimals/index.ts';
import {
  Amount,
  Button,
  DecimalField,
  LOADING,
  Panel,
  READY,
  Select,
  showToast,
  stateOfError,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { feeRates } from '../fee-rates.ts';
import { type ConvertedPair, convertibleCoins, pairFor, termsOf } from '../money/conversion.ts';
import { balanceQuery, tiersQuery, useFreshOn } from '../money/queries.ts';
import { ValidityRing } from '../money/ring.tsx';
import { useSession } from '../session.tsx';

/** A quote with its arrival time, for the countdown ring. */
interface TimedQuote {
  readonly quote: Quote;
  readonly fromMs: number;
  readonly expiresMs: number;
}

/** A guest's quote has no expiry; it is refreshed as often as a user's. */
const VALID_MS = 30_000;
const TYPING_MS = 350;

interface Wish {
  readonly give: string;
  readonly get: string;
  readonly amount: string;
  /** Field that the user typed in. */
  readonly typed: 'give' | 'get';
}

export function Screen() {
  const { t } = useLook();
  const { data: constants, error, refetch } = useQuery(constantsQuery);
  const state = error !== null ? stateOfError(error) : constants === undefined ? LOADING : READY;
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-1 pt-[max(4px,6vh)]">
      <h1 className="sr-only">{t('nav.convert')}</h1>
      <Panel title={t('convert.title')} state={state} onRetry={() => void refetch()}>
        {constants !== undefined && <ConvertForm constants={constants} />}
      </Panel>
    </div>
  );
}

function firstWish(constants: Constants): Wish {
  const coins = convertibleCoins(constants);
  const give = coins.includes('usdt') ? 'usdt' : (coins[0] ?? '');
  return { give, get: convertibleCoins(constants, give)[0] ?? '', amount: '', typed: 'give' };
}

/** Returns the quote, requested again when it expires or the input changes. */
function useQuote({ amount, get, give, typed }: Wish) {
  const { user } = useSession();
  const settled = useSettled(amount, TYPING_MS);
  return useQuery({
    queryKey: ['private', 'quote', give, get, settled, typed, user?.id],
    enabled: isPositive(settled) && user !== undefined,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<TimedQuote> => {
      const quote = await exchange.getQuote(
        {
          spending_currency: give,
          receiving_currency: get,
          ...(typed === 'give' ? { spending_amount: settled } : { receiving_amount: settled }),
        },
        { signal },
      );
      const fromMs = Date.now();
      const expiry = quote.expiry === undefined ? Number.NaN : Date.parse(quote.expiry);
      // This device's clock might be wrong, so a quote is valid for VALID_MS at most.
      const leftMs = Number.isNaN(expiry) ? VALID_MS : Math.min(VALID_MS, expiry - fromMs);
      return { quote, fromMs, expiresMs: fromMs + Math.max(1_000, leftMs) };
    },
  });
}

/** Returns the text once it has not changed for a while. */
function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}

function ConvertForm({ constants }: { constants: Constants }) {
  const { t } = useLook();
  const { user } = useSession();
  const [wish, setWish] = useState(() => firstWish(constants));
  const [done, setDone] = useState<KnownOrder>();
  const timed = useQuote(wish);
  const refresh = useCallback(() => void timed.refetch(), [timed.refetch]);
  const { data: balance } = useQuery({ ...balanceQuery, enabled: user != null });
  useFreshOn(['wallet'], ['balance']);
  const execute = useExecute((order) => {
    setDone(order);
    setWish((last) => ({ ...last, amount: '' }));
  }, refresh);
  const { give, get } = wish;
  const quote = isPositive(wish.amount) ? timed.data?.quote : undefined;
  const available = balance?.[`${give}_available`];
  const isShort =
    quote !== undefined && available !== undefined && compare(quote.spending_amount, available) > 0;
  const change = (next: Partial<Wish>) => {
    setDone(undefined);
    setWish({ ...wish, ...next });
  };
  const chooseGive = (coin: string) => {
    const partners = convertibleCoins(constants, coin);
    change({ give: coin, get: partners.includes(get) ? get : (partners[0] ?? '') });
  };
  const shown = (side: 'give' | 'get') => {
    if (wish.typed === side) return wish.amount;
    if (quote === undefined) return '';
    return trimmed(side === 'give' ? quote.spending_amount : quote.receiving_amount);
  };
  return (
    <form
      className="flex flex-col gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (quote?.token !== undefined && !isShort) execute.mutate(quote.token);
      }}
    >
      <AmountRow
        label={t('convert.give')}
        coins={convertibleCoins(constants)}
        coin={give}
        onCoin={chooseGive}
        increment={constants.coins[give]?.increment_unit ?? '1'}
        value={shown('give')}
        onValue={(amount) => change({ amount, typed: 'give' })}
        error={isShort ? t('convert.tooLittle') : undefined}
      />
      <div className="flex items-center justify-between gap-2">
        <Available
          available={available}
          coin={give}
          onAll={(amount) => change({ amount, typed: 'give' })}
        />
        <Button
          look="plain"
          size="icon"
          aria-label={t('convert.swap')}
          onClick={() => change({ give: get, get: give, amount: '', typed: 'give' })}
        >
          <ArrowUpDown size={14} aria-hidden="true" />
        </Button>
      </div>
      <AmountRow
        label={t('convert.get')}
        coins={convertibleCoins(constants, give)}
        coin={get}
        onCoin={(coin) => change({ get: coin })}
        increment={constants.coins[get]?.increment_unit ?? '1'}
        value={shown('get')}
        onValue={(amount) => change({ amount, typed: 'get' })}
      />
      <Terms
        constants={constants}
        wish={wish}
        timed={isPositive(wish.amount) ? timed.data : undefined}
        error={isPositive(wish.amount) ? timed.error : null}
        onExpired={refresh}
      />
      <ConvertButton quote={quote} isShort={isShort} isBusy={execute.isPending} />
      {done !== undefined && <Receipt order={done} />}
    </form>
  );
}

/** Executes a quote once. Reports a lost response; never retries. */
function useExecute(onDone: (order: KnownOrder) => void, onRefused: () => void) {
  const { t } = useLook();
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (token: string) => exchange.executeQuote({ token }),
    onSuccess: (order) => {
      showToast('done', t('convert.done'));
      onDone(order);
    },
    onError: (error) => {
      const isUnknown = error instanceof RialtoError && error.isOutcomeUnknown;
      if (isUnknown) showToast('unknown', t('state.unknown'), t('convert.lookAtOrders'));
      else showToast('refused', t('convert.refused'), error.message);
      onRefused();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['private', 'balance'] }),
  });
}

function AmountRow({
  coin,
  coins,
  error,
  increment,
  label,
  onCoin,
  onValue,
  value,
}: {
  label: string;
  coins: readonly string[];
  coin: string;
  onCoin(coin: string): void;
  increment: string;
  value: string;
  onValue(value: string): void;
  error?: string | undefined;
}) {
  const { t } = useLook();
  return (
    <div className="flex items-start gap-2">
      <DecimalField
        className="min-w-0 flex-1"
        label={label}
        increment={increment}
        value={value}
        onValue={onValue}
        placeholder="0"
        error={error}
      />
      <Select
        label={t('convert.coinOf', { field: label })}
        isLabelHidden
        className="w-28 pt-5"
        value={coin}
        onValue={onCoin}
        choices={coins.map((one) => ({ value: one, label: one.toUpperCase() }))}
      />
    </div>
  );
}

function Available({
  available,
  coin,
  onAll,
}: {
  available: string | undefined;
  coin: string;
  onAll(amount: string): void;
}) {
  const { preferences, t } = useLook();
  if (available === undefined) return <span />;
  return (
    <button
      type="button"
      className="tap-target text-label text-quiet hover:text-text"
      onClick={() => onAll(trimmed(available))}
    >
      {t('convert.available')}{' '}
      <Amount value={available} unit={coin} isHidden={preferences.hidesBalances} />
    </button>
  );
}

function Terms({
  constants,
  error,
  onExpired,
  timed,
  wish,
}: {
  constants: Constants;
  wish: Wish;
  timed: TimedQuote | undefined;
  error: unknown;
  onExpired(): void;
}) {
  const { t } = useLook();
  const pair = pairFor(constants, wish.give, wish.get);
  if (pair === undefined) return <Line role="alert">{t('convert.notOffered')}</Line>;
  if (error !== null) {
    const message = error instanceof Error ? error.message : String(error);
    return (
      <Line role="alert">
        <span className="text-down">{message}</span>
      </Line>
    );
  }
  if (timed === undefined) {
    return <Line>{t(wish.amount === '' ? 'convert.typeAmount' : 'convert.asking')}</Line>;
  }
  return (
    <div className="flex min-h-26 items-start gap-3 rounded bg-raised p-3">
      <QuoteLines constants={constants} pair={pair} quote={timed.quote} />
      <ValidityRing
        key={timed.fromMs}
        fromMs={timed.fromMs}
        expiresMs={timed.expiresMs}
        onExpired={onExpired}
      />
    </div>
  );
}

function Line({ children, role = 'status' }: { children: React.ReactNode; role?: string }) {
  return (
    <p
      role={role}
      className="flex min-h-26 items-center justify-center rounded bg-raised p-3 text-center text-body text-quiet"
    >
      {children}
    </p>
  );
}

function QuoteLines({
  constants,
  pair,
  quote,
}: {
  constants: Constants;
  pair: ConvertedPair;
  quote: Quote;
}) {
  const { percent, t } = useLook();
  const { user } = useSession();
  const { data: tiers } = useQuery(tiersQuery);
  const tier = tiers?.[String(user?.verification_level ?? 1)];
  const rate = feeRates(tier, pair.symbol, user?.discount ?? '0')?.taker ?? '0';
  const { increment_price } = constants.pairs[pair.symbol];
  const get = quote.receiving_currency;
  const coinIncrement = constants.coins[get].increment_unit;
  const terms = termsOf(quote, { pair, rate, coinIncrement, priceIncrement: increment_price });
  const lines: readonly (readonly [string, React.ReactNode])[] = [
    [
      t('convert.price'),
      <Amount
        key="price"
        value={terms.price}
        scale={scaleOf(increment_price)}
        unit={`${pair.quote} / ${pair.base}`}
      />,
    ],
    [
      t('convert.youGive'),
      <Amount key="give" value={quote.spending_amount} unit={quote.spending_currency} />,
    ],
    [
      t('convert.fee', { rate: percent(ratioOf(rate), { scale: 2 }) }),
      <Amount key="fee" value={terms.fee} unit={get} />,
    ],
    [t('convert.youGet'), <Amount key="net" value={terms.net} unit={get} />],
  ];
  return (
    <dl className="grid min-w-0 flex-1 grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-body">
      {lines.map(([term, value], at) => (
        <div key={term} className="contents">
          <dt className="text-quiet">{term}</dt>
          <dd className={`text-end ${at === lines.length - 1 ? 'font-semibold' : ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Converts a percentage to a ratio, on its digits. */
function ratioOf(percent: string): string {
  return `${percent}e-2`;
}

function ConvertButton({
  isBusy,
  isShort,
  quote,
}: {
  quote: Quote | undefined;
  isShort: boolean;
  isBusy: boolean;
}) {
  const { number, t } = useLook();
  const { user } = useSession();
  if (user === null) {
    return (
      <Link
        to="/sign-in"
        className="inline-flex min-h-10 items-center justify-center rounded bg-accent px-4 text-value font-semibold text-on-fill"
      >
        {t('convert.signIn')}
      </Link>
    );
  }
  const text =
    quote === undefined
      ? t('nav.convert')
      : t('convert.act', {
          give: `${number(trimmed(quote.spending_amount))} ${quote.spending_currency.toUpperCase()}`,
          get: `${number(trimmed(quote.receiving_amount))} ${quote.receiving_currency.toUpperCase()}`,
        });
  return (
    <>
      <Button
        type="submit"
        look="main"
        size="large"
        isBusy={isBusy}
        disabled={quote?.token === undefined || isShort || isBusy}
      >
        {text}
      </Button>
      <p className="text-center text-label text-quiet">{t('convert.promise')}</p>
    </>
  );
}

function Receipt({ order }: { order: KnownOrder }) {
  const { t } = useLook();
  const [base, quote] = (order.symbol ?? '-').split('-');
  return (
    <div role="status" className="flex items-start gap-2 rounded border border-up p-3 text-body">
      <CheckCircle2 size={16} aria-hidden="true" className="flex-none text-up" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="font-semibold">{t('convert.done')}</span>
        <span>
          <Amount value={order.filled} unit={base} /> ×{' '}
          <Amount value={order.average} unit={quote} />
        </span>
        <span className="text-quiet">
          {t('convert.feePaid')} <Amount value={order.fee} unit={order.fee_coin} />
        </span>
        <Link
          to="/orders"
          search={{ view: 'fills' } as never}
          className="text-accent hover:underline"
        >
          {t('convert.showFills')}
        </Link>
      </div>
    </div>
  );
}
