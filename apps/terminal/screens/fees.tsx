// Fees: the rates of every tier with the user's own, and the fee of each withdrawal.

import { useQuery } from '@tanstack/react-query';
import type { Coin, Tier } from '../../../client/index.ts';
import { isZero } from '../../decimals/index.ts';
import {
  Amount,
  type Column,
  LOADING,
  Panel,
  READY,
  Segments,
  stateOfError,
  Table,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { feeRates } from '../fee-rates.ts';
import { CoinMark } from '../money/parts.tsx';
import { tiersQuery } from '../money/queries.ts';
import { useStored } from '../money/stored.ts';
import { useSession } from '../session.tsx';

export function Screen() {
  const { t } = useLook();
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 px-2 py-4">
      <h1 className="text-price font-semibold">{t('nav.fees')}</h1>
      <p className="text-body text-quiet">{t('fees.text')}</p>
      <OwnVolume />
      <TierFees />
      <WithdrawalFees />
    </div>
  );
}

function OwnVolume() {
  const { t } = useLook();
  const { user } = useSession();
  const isSignedIn = user !== null && user !== undefined;
  const { data } = useQuery({
    queryKey: ['private', 'trading volume'],
    queryFn: ({ signal }) => exchange.getTradingVolume({}, { signal }),
    enabled: isSignedIn,
  });
  if (!isSignedIn) return null;
  const discount = user.discount ?? '0';
  return (
    <section aria-label={t('fees.volume')} className="rounded bg-panel px-4 py-3">
      <div className="text-label text-quiet">{t('fees.volume')}</div>
      <div className="text-price font-semibold">
        {data === undefined ? (
          <span className="skeleton inline-block h-6 w-32" />
        ) : (
          <Amount value={data.volume} scale={2} unit={data.currency} />
        )}
      </div>
      {!isZero(`${discount}`) && (
        <p className="text-body text-quiet">{t('fees.discount', { percent: `${discount}` })}</p>
      )}
    </section>
  );
}

const readSymbol = (stored: string | null) => stored ?? '';
const writeSymbol = (symbol: string) => symbol;

function TierFees() {
  const { t } = useLook();
  const { user } = useSession();
  const tiers = useQuery(tiersQuery);
  const { data: constants } = useQuery(constantsQuery);
  const symbols = Object.keys(constants?.pairs ?? {});
  const [stored, setSymbol] = useStored('fees-market', readSymbol, writeSymbol);
  const symbol = symbols.includes(stored) ? stored : (symbols[0] ?? '');
  const isReady = tiers.data !== undefined && constants !== undefined;
  const own = user?.verification_level;
  const rate = (side: 'maker' | 'taker') => (tier: Tier) => {
    const rates = feeRates(tier, symbol, '0');
    return <bdi dir="ltr">{rates === undefined ? '–' : `${rates[side]}%`}</bdi>;
  };
  const columns: readonly Column<Tier>[] = [
    {
      key: 'tier',
      label: t('fees.tierName'),
      cell: ({ id, name }) => (
        <span className={id === own ? 'font-semibold' : ''}>
          <bdi>{name}</bdi>
          {id === own && <span className="ms-2 text-label text-accent">{t('fees.yours')}</span>}
        </span>
      ),
    },
    { key: 'maker', label: t('fees.makerRate'), isNumber: true, cell: rate('maker') },
    { key: 'taker', label: t('fees.takerRate'), isNumber: true, cell: rate('taker') },
  ];
  const state = tiers.error !== null ? stateOfError(tiers.error) : isReady ? READY : LOADING;
  return (
    <Panel title={t('nav.fees')} isTitleHidden state={state} onRetry={() => void tiers.refetch()}>
      <Segments
        label={t('shell.pair')}
        value={symbol}
        onValue={setSymbol}
        className="m-2 max-w-full flex-wrap self-start"
        choices={symbols.map((value) => ({
          value,
          label: value.toUpperCase().replace('-', '/'),
        }))}
      />
      <Table
        caption={t('nav.fees')}
        columns={columns}
        rows={Object.values(tiers.data ?? {})}
        keyOf={({ id }) => String(id)}
      />
    </Panel>
  );
}

function WithdrawalFees() {
  const { t } = useLook();
  const { data: constants, error } = useQuery(constantsQuery);
  const columns: readonly Column<Coin>[] = [
    {
      key: 'coin',
      label: t('wallet.coin'),
      cell: ({ fullname, symbol }) => (
        <span className="flex items-center gap-2.5 py-1.5">
          <CoinMark coin={symbol} />
          <span className="font-semibold">{symbol.toUpperCase()}</span>
          <span className="text-label text-quiet max-md:hidden">{fullname}</span>
        </span>
      ),
    },
    {
      key: 'fee',
      label: t('wallet.fee'),
      isNumber: true,
      cell: (coin) => <Fees coin={coin} />,
    },
  ];
  const state = error !== null ? stateOfError(error) : constants === undefined ? LOADING : READY;
  return (
    <Panel title={t('fees.withdrawal')} state={state}>
      <Table
        caption={t('fees.withdrawal')}
        columns={columns}
        rows={Object.values(constants?.coins ?? {}).filter(({ active }) => active)}
        keyOf={({ symbol }) => symbol}
      />
    </Panel>
  );
}

/** One line per network. */
function Fees({ coin }: { coin: Coin }) {
  const networks = Object.entries(coin.withdrawal_fees ?? {});
  if (networks.length === 0) return <Amount value={coin.withdrawal_fee} unit={coin.symbol} />;
  return (
    <span className="flex flex-col items-end">
      {networks.map(([network, { symbol, value }]) => (
        <span key={network}>
          <span className="text-label text-quiet">{network.toUpperCase()} </span>
          <Amount value={`${value}`} unit={symbol} />
        </span>
      ))}
    </span>
  );
}
