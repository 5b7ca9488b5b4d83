// Kill switches: active stops and how to undo them, the exchange-wide switches, and markets and
// assets one by one. Every stop shows whom it affects before it is confirmed.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEntry } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import {
  Button,
  type Column,
  marketName,
  Panel,
  READY,
  stateOfError,
  stateOfList,
  Table,
  WideTable,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { ActTarget, Named } from '../parts/named.tsx';
import { textOf } from '../parts/value.ts';
import { useOperator } from '../session.tsx';
import { ResumeDialog, StopDialog, useTargetName } from '../switches/switch-dialogs.tsx';
import {
  type CoinRow,
  coinRows,
  type MarketRow,
  marketRows,
  modesFrom,
  SERVICES,
  type Stop,
  stopOf,
  stopsOf,
  type Target,
  WHOLE,
} from '../switches/switch-view.ts';
import { useLook, useNames } from '../use-words.ts';

const EVERY_MS = 3_000;

interface Acts {
  onStop(target: Target): void;
  onResume(stop: Stop): void;
}

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  const [target, setTarget] = useState<Target>();
  const [resumed, setResumed] = useState<Stop>();
  const switches = useQuery({
    queryKey: ['private', 'switches'],
    queryFn: ({ signal }) => exchange.getSwitches({ signal }),
    refetchInterval: EVERY_MS,
  });
  const stops = stopsOf(switches.data ?? []);
  const acts: Acts = { onStop: setTarget, onResume: setResumed };
  const state =
    switches.error !== null && switches.data !== undefined
      ? ({ kind: 'stale', sinceMs: switches.dataUpdatedAt } as const)
      : switches.error !== null
        ? stateOfError(switches.error)
        : switches.data === undefined
          ? ({ kind: 'loading' } as const)
          : READY;
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.switches')}</h1>
      <Panel title={t('switches.now')} state={state} onRetry={() => void switches.refetch()}>
        <StopList stops={stops} acts={acts} />
      </Panel>
      <div className="grid gap-1 xl:grid-cols-2">
        <Panel title={t('switches.exchange')} state={state}>
          <WholeTable stops={stops} acts={acts} />
        </Panel>
        <CoinsPanel stops={stops} acts={acts} />
      </div>
      <MarketsPanel stops={stops} acts={acts} />
      {may('readAudit') && <HistoryPanel />}
      {target !== undefined && (
        <StopDialog
          target={target}
          stop={stopOf(stops, target)}
          onClose={() => setTarget(undefined)}
        />
      )}
      {resumed !== undefined && (
        <ResumeDialog stop={resumed} onClose={() => setResumed(undefined)} />
      )}
    </div>
  );
}

function StopList({ acts, stops }: { stops: readonly Stop[]; acts: Acts }) {
  const { t, time } = useLook();
  const { may } = useOperator();
  const nameOf = useTargetName();
  const labelOf = useNames();
  if (stops.length === 0) {
    return <p className="px-2 py-3 text-body text-quiet">✓ {t('switches.none')}</p>;
  }
  return (
    <ul>
      {stops.map((stop) => (
        <li
          key={`${stop.target.name} ${stop.object}`}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-2 py-2 text-body last:border-b-0"
        >
          <Chip color="text-down">
            ■ {stop.mode === null ? t('switches.stopped') : labelOf('marketStatus', stop.mode)}
          </Chip>
          <strong className="font-semibold">{nameOf(stop.target)}</strong>
          <span className="min-w-40 flex-1">
            {stop.reason}
            {stop.banner !== '' && <span className="ms-2 text-quiet">“{stop.banner}”</span>}
          </span>
          <span className="text-quiet">
            {stop.by === null
              ? t('switches.byReconciliation')
              : t('switches.byOperator', { id: stop.by })}
            {' · '}
            {time(stop.at, 'short')}
          </span>
          {may('resume') && (
            <Button size="small" onClick={() => acts.onResume(stop)}>
              {t('switches.resume')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Button for a target that can be stopped, or stopped more strictly. */
function StopButton({
  acts,
  stop,
  target,
}: {
  target: Target;
  stop: Stop | undefined;
  acts: Acts;
}) {
  const { t } = useLook();
  const { may } = useOperator();
  const nameOf = useTargetName();
  const isHardest = target.name === 'trading' ? modesFrom(stop).length === 1 : true;
  if (!may('stop') || (stop !== undefined && isHardest)) return null;
  return (
    <Button
      size="small"
      look="danger"
      className="my-0.5"
      aria-label={t('switches.stopTitle', { target: nameOf(target) })}
      onClick={() => acts.onStop(target)}
    >
      {t(stop === undefined ? 'switches.stop' : 'switches.harder')}
    </Button>
  );
}

function WholeTable({ acts, stops }: { stops: readonly Stop[]; acts: Acts }) {
  const { t } = useLook();
  const nameOf = useTargetName();
  const targets: Target[] = [
    ...WHOLE.map((name) => ({ name })),
    ...SERVICES.map((service) => ({ name: 'intake' as const, service })),
  ];
  const columns: Column<Target>[] = [
    { key: 'what', label: t('switches.what'), cell: (target) => nameOf(target) },
    {
      key: 'state',
      label: t('health.state'),
      cell: (target) => <RunState stop={stopOf(stops, target)} />,
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      isNumber: true,
      cell: (target) => <StopButton target={target} stop={stopOf(stops, target)} acts={acts} />,
    },
  ];
  return (
    <Table
      caption={t('switches.exchange')}
      columns={columns}
      rows={targets}
      keyOf={({ name, service = '' }) => `${name} ${service}`}
    />
  );
}

function RunState({ stop }: { stop: Stop | undefined }) {
  const { t } = useLook();
  const labelOf = useNames();
  if (stop === undefined) return <span>{t('switches.runs')}</span>;
  return (
    <span className="font-semibold text-down">
      ■ {stop.mode === null ? t('switches.stopped') : labelOf('marketStatus', stop.mode)}
    </span>
  );
}

function CoinsPanel({ acts, stops }: { stops: readonly Stop[]; acts: Acts }) {
  const { t } = useLook();
  const constants = useQuery({ ...constantsQuery, refetchInterval: EVERY_MS });
  const rows = constants.data && coinRows(constants.data, stops);
  const side = (name: 'deposits' | 'withdrawals'): Column<CoinRow> => ({
    key: name,
    label: t(`switch.${name}`),
    cell: (row) => (
      <span className="flex items-center gap-2">
        <span className={row[name] ? '' : 'font-semibold text-down'}>
          {row[name] ? t('switches.open') : `■ ${t('switches.closed')}`}
        </span>
        {row[name] && (
          <StopButton target={{ name, symbol: row.symbol }} stop={row.stops[name]} acts={acts} />
        )}
      </span>
    ),
  });
  const columns: Column<CoinRow>[] = [
    {
      key: 'coin',
      label: t('health.coin'),
      cell: ({ symbol }) => <bdi dir="ltr">{symbol.toUpperCase()}</bdi>,
    },
    side('deposits'),
    side('withdrawals'),
  ];
  return (
    <Panel
      title={t('switches.coins')}
      state={stateOfList({ error: constants.error, data: rows }, t('switches.noCoins'))}
    >
      <Table
        caption={t('switches.coins')}
        columns={columns}
        rows={rows ?? []}
        keyOf={({ symbol }) => symbol}
      />
    </Panel>
  );
}

function MarketsPanel({ acts, stops }: { stops: readonly Stop[]; acts: Acts }) {
  const { t } = useLook();
  const constants = useQuery({ ...constantsQuery, refetchInterval: EVERY_MS });
  const rows = constants.data && marketRows(constants.data, stops);
  const columns: Column<MarketRow>[] = [
    {
      key: 'market',
      label: t('overview.market'),
      cell: ({ symbol }) => <bdi dir="ltr">{marketName(symbol)}</bdi>,
    },
    {
      key: 'status',
      label: t('health.state'),
      cell: ({ status }) => (
        <Named
          area="marketStatus"
          name={status}
          className={status === 'full' ? '' : 'font-semibold text-warn'}
        />
      ),
    },
    {
      key: 'undo',
      label: t('switches.resumesTo'),
      cell: ({ stop }) =>
        stop?.resumesTo ? <Named area="marketStatus" name={stop.resumesTo} /> : '–',
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      isNumber: true,
      cell: ({ stop, symbol }) => (
        <StopButton target={{ name: 'trading', symbol }} stop={stop} acts={acts} />
      ),
    },
  ];
  return (
    <Panel
      title={t('switches.markets')}
      state={stateOfList({ error: constants.error, data: rows }, t('switches.noMarkets'))}
    >
      <Table
        caption={t('switches.markets')}
        columns={columns}
        rows={rows ?? []}
        keyOf={({ symbol }) => symbol}
      />
    </Panel>
  );
}

function HistoryPanel() {
  const { t, time } = useLook();
  const nameOf = useNames();
  const history = useQuery({
    queryKey: ['private', 'audits', 'switch.stop'],
    queryFn: async ({ signal }) =>
      (await exchange.getAudits({ act: 'switch.stop', limit: 20 }, { signal })).data,
  });
  const columns: Column<AuditEntry>[] = [
    { key: 'when', label: t('overview.when'), cell: ({ timestamp }) => time(timestamp, 'short') },
    {
      key: 'who',
      label: t('overview.who'),
      cell: ({ subject }) => <bdi dir="ltr">{subject}</bdi>,
    },
    {
      key: 'object',
      label: t('switches.what'),
      cell: ({ object }) => <ActTarget target={object} />,
    },
    {
      key: 'after',
      label: t('switches.touched'),
      isExtra: true,
      cell: ({ after }) => (
        <bdi dir="ltr" className="block max-w-2xl truncate text-quiet">
          {textOf(after, { nameOf })}
        </bdi>
      ),
    },
  ];
  return (
    <Panel
      title={t('switches.history')}
      state={stateOfList(history, t('switches.noHistory'))}
      onRetry={() => void history.refetch()}
    >
      <WideTable
        caption={t('switches.history')}
        columns={columns}
        rows={history.data ?? []}
        keyOf={({ id }) => String(id)}
      />
    </Panel>
  );
}
