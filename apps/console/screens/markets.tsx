// Markets and assets: their status and limits, the listing wizard, auctions, frozen markets.

import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { FrozenByCommand, ListedCoin, ListedPair } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import {
  Amount,
  Button,
  type Column,
  DecimalField,
  marketName,
  Panel,
  Select,
  stateOfList,
  WideTable,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
import { BandDialog } from '../markets/band-dialog.tsx';
import { CoinDialog } from '../markets/coin-dialog.tsx';
import { peopleFor, STATUSES, type Status, statusBody } from '../markets/status-view.ts';
import { CoinWizard, PairWizard } from '../markets/wizard.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';

const EVERY_MS = 5_000;

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  const [wizard, setWizard] = useState<'coin' | 'pair'>();
  const coins = useQuery({
    queryKey: ['private', 'coins'],
    queryFn: async ({ signal }) => (await exchange.getCoins({}, { signal })).data,
    refetchInterval: EVERY_MS,
  });
  const pairs = useQuery({
    queryKey: ['private', 'pairs'],
    queryFn: async ({ signal }) => (await exchange.getPairs({}, { signal })).data,
    refetchInterval: EVERY_MS,
  });
  const close = () => setWizard(undefined);
  const listed = (pairs.data ?? []).map(({ name }) => name);
  const known = coins.data ?? [];
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.markets')}</h1>
      {may('readFrozen') && <FrozenPanel />}
      <PairsPanel pairs={pairs} onNew={() => setWizard('pair')} />
      <CoinsPanel coins={coins} onNew={() => setWizard('coin')} />
      {wizard === 'coin' && <CoinWizard known={known} onClose={close} />}
      {wizard === 'pair' && <PairWizard known={known} listed={listed} onClose={close} />}
    </div>
  );
}

interface ListQuery<Row> {
  readonly data: readonly Row[] | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

function PairsPanel({ onNew, pairs }: { pairs: ListQuery<ListedPair>; onNew(): void }) {
  const { t } = useLook();
  const { may } = useOperator();
  const { pair: named } = useSearch({ strict: false }) as { pair?: unknown };
  const [changed, setChanged] = useState<ListedPair>();
  const [edited, setEdited] = useState<ListedPair>();
  const columns: Column<ListedPair>[] = [
    {
      key: 'pair',
      label: t('overview.market'),
      cell: ({ name }) => (
        <bdi dir="ltr" className={name === named ? 'font-semibold text-accent' : ''}>
          {marketName(name)}
        </bdi>
      ),
    },
    { key: 'status', label: t('health.state'), cell: (row) => <PairStatus pair={row} /> },
    {
      key: 'price',
      label: t('market.reference'),
      isNumber: true,
      cell: ({ pair_2: unit, reference_price: price }) => <Amount value={price} unit={unit} />,
    },
    {
      key: 'size',
      label: t('market.incrementSize'),
      isNumber: true,
      isExtra: true,
      cell: ({ increment_size: step, pair_base: unit }) => <Amount value={step} unit={unit} />,
    },
    {
      key: 'tick',
      label: t('market.incrementPrice'),
      isNumber: true,
      isExtra: true,
      cell: ({ increment_price: step, pair_2: unit }) => <Amount value={step} unit={unit} />,
    },
    {
      key: 'band',
      label: t('market.band'),
      isNumber: true,
      isExtra: true,
      cell: ({ band, slippage }) => (
        <bdi dir="ltr">
          {band}% <span className="text-quiet">/ {slippage}%</span>
        </bdi>
      ),
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      isNumber: true,
      cell: (row) =>
        may('changePair') && (
          <span className="my-0.5 inline-flex gap-1">
            {may('setBand') && (
              <Button size="small" onClick={() => setEdited(row)}>
                {t('markets.edit')}
              </Button>
            )}
            <Button size="small" onClick={() => setChanged(row)}>
              {t('markets.changeStatus')}
            </Button>
          </span>
        ),
    },
  ];
  return (
    <Panel
      title={t('switches.markets')}
      dialogs={
        <>
          {changed !== undefined && (
            <StatusDialog pair={changed} onClose={() => setChanged(undefined)} />
          )}
          {edited !== undefined && (
            <BandDialog pair={edited} onClose={() => setEdited(undefined)} />
          )}
        </>
      }
      state={stateOfList(pairs, t('switches.noMarkets'))}
      onRetry={() => void pairs.refetch()}
      after={
        may('listPair') && (
          <Button size="small" onClick={onNew}>
            {t('markets.newPair')}
          </Button>
        )
      }
    >
      <WideTable
        caption={t('switches.markets')}
        columns={columns}
        rows={pairs.data ?? []}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}

function PairStatus({ pair }: { pair: ListedPair }) {
  const { t } = useLook();
  const nameOf = useNames();
  const duration = useDuration();
  const nowMs = useNow();
  const { auction_ends_at: endsAt, frozen_by: frozenBy, status } = pair;
  if (frozenBy !== null) {
    return <Chip color="text-down">■ {t('markets.frozenBy', { command: frozenBy })}</Chip>;
  }
  const leftMs = endsAt === null ? 0 : Date.parse(endsAt) - nowMs;
  return (
    <bdi className={status === 'full' ? '' : 'font-semibold text-warn'}>
      {nameOf('marketStatus', status)}
      {leftMs > 0 && ` · ${t('approvals.in', { age: duration(leftMs) })}`}
    </bdi>
  );
}

function StatusDialog({ onClose, pair }: { pair: ListedPair; onClose(): void }) {
  const { t } = useLook();
  const nameOf = useNames();
  const [status, setStatus] = useState<Status>(pair.status === 'full' ? 'cancel-only' : 'full');
  const [seconds, setSeconds] = useState('600');
  const body = statusBody(pair.code, status, seconds);
  const people = peopleFor(status);
  return (
    <ActDialog
      title={t('markets.statusTitle', { pair: marketName(pair.name) })}
      submit={t('markets.setStatus', { status: nameOf('marketStatus', status) })}
      isDanger={people !== 1}
      approvals={people}
      isDisabled={body === undefined || status === pair.status}
      onClose={onClose}
      act={() => exchange.changePair(body ?? { code: pair.code })}
    >
      <p className="text-body">
        {t('markets.statusNow', { status: nameOf('marketStatus', pair.status) })}
      </p>
      <Select
        label={t('health.state')}
        choices={STATUSES.map((value) => ({
          value,
          label: `${nameOf('marketStatus', value)}: ${t(`status_.${value}`)}`,
        }))}
        value={status}
        onValue={setStatus}
      />
      {status === 'auction' && (
        <DecimalField
          label={t('markets.auctionSeconds')}
          hint={t('markets.auctionHint')}
          increment="1"
          value={seconds}
          onValue={setSeconds}
        />
      )}
    </ActDialog>
  );
}

function CoinsPanel({ coins, onNew }: { coins: ListQuery<ListedCoin>; onNew(): void }) {
  const { t } = useLook();
  const nameOf = useNames();
  const { may } = useOperator();
  const [edited, setEdited] = useState<ListedCoin>();
  const open = (isOpen: boolean) => (
    <span className={isOpen ? '' : 'font-semibold text-warn'}>
      {t(isOpen ? 'switches.open' : 'switches.closed')}
    </span>
  );
  const columns: Column<ListedCoin>[] = [
    {
      key: 'coin',
      label: t('health.coin'),
      cell: ({ fullname, symbol }) => (
        <>
          <bdi dir="ltr">{symbol.toUpperCase()}</bdi> <span className="text-quiet">{fullname}</span>
        </>
      ),
    },
    {
      key: 'network',
      label: t('market.network'),
      isExtra: true,
      cell: ({ network, type }) => (
        <bdi dir="ltr">
          {network === '' ? nameOf('value', type) : network.split(',').join(', ').toUpperCase()}
        </bdi>
      ),
    },
    {
      key: 'decimals',
      label: t('market.decimals'),
      isNumber: true,
      isExtra: true,
      cell: ({ decimals }) => decimals,
    },
    {
      key: 'cap',
      label: t('market.issuanceCap'),
      isNumber: true,
      cell: ({ issuance_cap: cap, symbol }) => <Amount value={cap} unit={symbol} />,
    },
    {
      key: 'price',
      label: t('market.estimatedPrice'),
      isNumber: true,
      cell: ({ estimated_price: price }) => <Amount value={price} />,
    },
    { key: 'in', label: t('switch.deposits'), cell: (coin) => open(coin.allow_deposit) },
    { key: 'out', label: t('switch.withdrawals'), cell: (coin) => open(coin.allow_withdrawal) },
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      isNumber: true,
      cell: (coin) =>
        may('changeCoin') && (
          <Button size="small" className="my-0.5" onClick={() => setEdited(coin)}>
            {t('markets.edit')}
          </Button>
        ),
    },
  ];
  return (
    <Panel
      title={t('switches.coins')}
      dialogs={
        edited !== undefined && <CoinDialog coin={edited} onClose={() => setEdited(undefined)} />
      }
      state={stateOfList(coins, t('switches.noCoins'))}
      onRetry={() => void coins.refetch()}
      after={
        may('listCoin') && (
          <Button size="small" onClick={onNew}>
            {t('markets.newCoin')}
          </Button>
        )
      }
    >
      <WideTable
        caption={t('switches.coins')}
        columns={columns}
        rows={coins.data ?? []}
        keyOf={({ symbol }) => symbol}
      />
    </Panel>
  );
}

/** Shown only if a failed command froze something. */
function FrozenPanel() {
  const { t } = useLook();
  const { may } = useOperator();
  const [voided, setVoided] = useState<FrozenByCommand>();
  const frozen = useQuery({
    queryKey: ['private', 'frozen'],
    queryFn: ({ signal }) => exchange.getFrozen({ signal }),
    refetchInterval: EVERY_MS,
  });
  const rows = frozen.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title={t('markets.frozen')} state={{ kind: 'ready' }}>
      <ul>
        {rows.map((row) => (
          <li key={row.command} className="flex flex-wrap items-center gap-3 px-2 py-2 text-body">
            <Chip color="text-down">
              ■ {row.symbol == null ? row.channel : marketName(row.symbol)}
            </Chip>
            <span className="flex-1">
              {t('markets.frozenText', { command: row.command, waiting: row.waiting })}
            </span>
            {may('voidCommand') && (
              <Button size="small" look="danger" onClick={() => setVoided(row)}>
                {t('markets.void')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {voided !== undefined && (
        <ActDialog
          title={t('markets.voidTitle', { command: voided.command })}
          submit={t('markets.void')}
          isDanger
          approvals={1}
          onClose={() => setVoided(undefined)}
          act={() => exchange.voidCommand({ command: voided.command })}
        >
          <p className="text-body">{t('markets.voidText')}</p>
        </ActDialog>
      )}
    </Panel>
  );
}
