// Overview: alarms, log status, the ledger, queues, volume and fees, and recent actions. Each panel
// is shown only to a role that can read its data.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEntry, ExchangeHealth, TickerOfAll } from '../../../client/index.ts';
import { isZero, multiply } from '../../decimals/index.ts';
import {
  Amount,
  type Column,
  marketName,
  Panel,
  READY,
  stateOfError,
  stateOfList,
  Table,
  WideTable,
} from '../../ui/index.ts';
import { screensOf } from '../access.ts';
import { mineWaiting } from '../approvals/approval-view.ts';
import { ModePrompt } from '../control/mode-prompt.tsx';
import { exchange, lastActsQuery, pendingApprovalsQuery, workQuery } from '../exchange.ts';
import { AlarmPanel, OverallLine } from '../health/alarm-panel.tsx';
import { figureOf, leaderOf, ledgerOf } from '../health/health-view.ts';
import { QueuesTable } from '../health/queues-table.tsx';
import { type ShownHealth, useDuration, useHealth, useNow } from '../health/use-health.ts';
import { ActTarget, Named } from '../parts/named.tsx';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';
import { queuesFor, SCREEN_OF_QUEUE, type WorkQueue } from '../work/work-view.ts';

const VOLUME_EVERY_MS = 10_000;
const FEES_EVERY_MS = 5 * 60_000;

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.overview')}</h1>
      <ModePrompt />
      {may('readHealth') && <HealthPart />}
      <div className="grid gap-1 xl:grid-cols-2">
        <VolumePanel />
        <div className="flex flex-col gap-1">
          <WorkPanel />
          {may('readFees') && <FeesPanel />}
        </div>
      </div>
      {may('readAudit') && <ActsPanel />}
    </div>
  );
}

function HealthPart() {
  const { t } = useLook();
  const shown = useHealth();
  return (
    <>
      <OverallLine
        shown={shown}
        after={
          <Link to="/system" className="text-body whitespace-nowrap text-accent hover:underline">
            {t('overview.allHealth')}
          </Link>
        }
      />
      <AlarmPanel shown={shown} />
      <Strip shown={shown} />
      <Panel title={t('health.queues')} state={shown.state}>
        <QueuesTable queues={shown.health?.queues ?? []} />
      </Panel>
    </>
  );
}

function Strip({ shown }: { shown: ShownHealth }) {
  const { t } = useLook();
  const { health, state } = shown;
  return (
    <Panel title={t('health.log')} isTitleHidden state={state} skeletonRows={2}>
      {health !== undefined && (
        <dl className="grid grid-cols-2 gap-px bg-line md:grid-cols-3 xl:grid-cols-6">
          <StripFacts shown={shown} health={health} />
        </dl>
      )}
    </Panel>
  );
}

function StripFacts({ health, shown }: { shown: ShownHealth; health: ExchangeHealth }) {
  const { t } = useLook();
  const duration = useDuration();
  const state = leaderOf(shown);
  const leader = state.kind === 'one' ? state.leader : undefined;
  const behindMs = Math.max(0, ...health.followers.map(({ behind_ms: ms }) => ms));
  const { count, unbalanced } = ledgerOf(health);
  const isBalanced = unbalanced.length === 0;
  const ledger =
    count === 0
      ? '–'
      : isBalanced
        ? `✓ ${t('health.ledgerBalanced', { count })}`
        : `✕ ${t('health.ledgerUnbalanced', { coins: unbalanced.join(', ').toUpperCase() })}`;
  return (
    <>
      <StripFact label={t('health.leader')} isBad={leader === undefined}>
        <bdi dir="ltr">
          {leader?.instance ??
            t(state.kind === 'unknown' ? 'console.leaderUnknown' : 'console.leaderNone')}
        </bdi>
      </StripFact>
      <StripFact label={t('health.epoch')}>
        <Amount value={leader && String(leader.epoch)} />
      </StripFact>
      <StripFact label={t('health.position')}>
        <Amount value={leader && String(leader.frame)} />
      </StripFact>
      <StripFact label={t('health.behind')}>{duration(behindMs)}</StripFact>
      <StripFact label={t('health.sockets')}>
        <Amount value={String(figureOf(health.processes, 'gateway-websocket', 'sockets'))} />
      </StripFact>
      <StripFact label={t('health.ledger')} isBad={!isBalanced}>
        {ledger}
      </StripFact>
    </>
  );
}

function StripFact({
  children,
  isBad = false,
  label,
}: {
  label: string;
  children: ReactNode;
  isBad?: boolean;
}) {
  return (
    <div className="bg-panel px-3 py-2">
      <dt className="text-label text-quiet">{label}</dt>
      <dd className={`text-value ${isBad ? 'font-semibold text-down' : ''}`}>{children}</dd>
    </div>
  );
}

type VolumeRow = TickerOfAll & { readonly value: string };

function VolumePanel() {
  const { t } = useLook();
  const tickers = useQuery({
    queryKey: ['tickers'],
    queryFn: ({ signal }) => exchange.getTickerAll({ signal }),
    refetchInterval: VOLUME_EVERY_MS,
  });
  const rows = tickers.data && volumeRows(tickers.data);
  const columns: Column<VolumeRow>[] = [
    {
      key: 'market',
      label: t('overview.market'),
      cell: ({ symbol }) => <bdi dir="ltr">{marketName(symbol)}</bdi>,
    },
    {
      key: 'last',
      label: t('overview.last'),
      isNumber: true,
      cell: ({ last, symbol }) => <Amount value={last} unit={symbol?.split('-')[1]} />,
    },
    {
      key: 'volume',
      label: t('overview.volume'),
      isNumber: true,
      isExtra: true,
      cell: ({ symbol, volume }) => <Amount value={volume} unit={symbol?.split('-')[0]} />,
    },
    {
      key: 'value',
      label: t('overview.value'),
      isNumber: true,
      cell: ({ symbol, value }) => <Amount value={value} scale={0} unit={symbol?.split('-')[1]} />,
    },
  ];
  return (
    <Panel
      title={t('overview.volume')}
      state={stateOfList({ error: tickers.error, data: rows }, t('overview.noTrades'))}
      onRetry={() => void tickers.refetch()}
    >
      <Table
        caption={t('overview.volume')}
        columns={columns}
        rows={rows ?? []}
        keyOf={({ symbol }) => symbol ?? ''}
      />
    </Panel>
  );
}

/** Markets with trades, with the value of their volume at the last price. */
function volumeRows(tickers: Readonly<Record<string, TickerOfAll>>): VolumeRow[] {
  return Object.entries(tickers)
    .filter(([, { volume }]) => !isZero(volume))
    .map(([symbol, ticker]) => ({
      ...ticker,
      symbol,
      value: multiply(ticker.volume, ticker.last),
    }));
}

/** Queues that wait for the operator's decision, and the operator's own pending requests. */
function WorkPanel() {
  const { t } = useLook();
  const nameOf = useNames();
  const duration = useDuration();
  const nowMs = useNow();
  const operator = useOperator();
  const paths = screensOf(operator).map(({ path }) => path);
  const work = useQuery(workQuery);
  const { data: pending } = useQuery({
    ...pendingApprovalsQuery,
    enabled: paths.includes('/approvals'),
  });
  const mine = mineWaiting(pending ?? [], operator).length;
  const queues = work.data && queuesFor(work.data.queues, paths);
  const columns: Column<WorkQueue>[] = [
    {
      key: 'name',
      label: t('health.queue'),
      cell: ({ name }) => (
        <Link
          to={SCREEN_OF_QUEUE[name].path}
          search={SCREEN_OF_QUEUE[name].search as never}
          className="text-accent hover:underline"
        >
          {nameOf('work', name)}
        </Link>
      ),
    },
    {
      key: 'waiting',
      label: t('health.waiting'),
      isNumber: true,
      cell: ({ waiting }) => (
        <span className={waiting > 0 ? 'font-semibold' : 'text-quiet'}>{waiting}</span>
      ),
    },
    {
      key: 'oldest',
      label: t('health.oldest'),
      isNumber: true,
      cell: ({ oldest_at: since }) =>
        since === null ? '–' : duration(Math.max(0, nowMs - Date.parse(since))),
    },
  ];
  return (
    <Panel
      title={t('console.toDecide')}
      state={stateOfList({ error: work.error, data: queues }, t('approvals.noneToDecide'))}
      skeletonRows={3}
      onRetry={() => void work.refetch()}
    >
      <Table
        caption={t('console.toDecide')}
        columns={columns}
        rows={queues ?? []}
        keyOf={({ name }) => name}
      />
      {mine > 0 && (
        <p className="p-2 text-body">
          <Link to="/approvals" className="text-accent hover:underline">
            {t('overview.mine', { count: mine })}
          </Link>
        </p>
      )}
    </Panel>
  );
}

function FeesPanel() {
  const { t } = useLook();
  const fees = useQuery({
    queryKey: ['private', 'fees', 'present'],
    queryFn: ({ signal }) => exchange.estimateFees({ discount: '0' }, { signal }),
    refetchInterval: FEES_EVERY_MS,
  });
  const { data } = fees;
  const state =
    fees.error !== null
      ? stateOfError(fees.error)
      : data === undefined
        ? ({ kind: 'loading' } as const)
        : data.from === null
          ? ({ kind: 'empty', text: t('overview.noFees') } as const)
          : READY;
  return (
    <Panel title={t('overview.fees')} state={state} skeletonRows={2} className="flex-1">
      <div className="px-2 py-3">
        <p className="text-price">
          <Amount value={data?.total?.collected} scale={2} unit={data?.currency} />
        </p>
        <p className="text-label text-quiet">
          {t('overview.feesOf', { from: data?.from ?? '', to: data?.to ?? '' })}
        </p>
      </div>
    </Panel>
  );
}

function ActsPanel() {
  const { t, time } = useLook();
  const acts = useQuery(lastActsQuery);
  const columns: Column<AuditEntry>[] = [
    { key: 'when', label: t('overview.when'), cell: ({ timestamp }) => time(timestamp, 'short') },
    {
      key: 'who',
      label: t('overview.who'),
      cell: ({ subject }) => <bdi dir="ltr">{subject}</bdi>,
    },
    {
      key: 'act',
      label: t('overview.act'),
      cell: ({ act, object }) => (
        <>
          <Named area="act" name={act} /> · <ActTarget target={object} />
        </>
      ),
    },
  ];
  return (
    <Panel
      title={t('overview.acts')}
      state={stateOfList(acts, t('overview.noActs'))}
      onRetry={() => void acts.refetch()}
    >
      <WideTable
        caption={t('overview.acts')}
        columns={columns}
        rows={acts.data ?? []}
        keyOf={({ id }) => String(id)}
      />
    </Panel>
  );
}
