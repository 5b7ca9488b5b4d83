// Health: alarms first, then the log and its followers, processes, queues, ages and disks. All
// panels become stale together with the report.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  ExchangeHealth,
  HealthFollower,
  HealthProcess,
  HealthStream,
} from '../../../client/index.ts';
import { ActForm, Chip, type Fact, Facts, Refusal, useAct } from '../../forms/index.ts';
import { Amount, Button, type Column, Dialog, Panel, Table, WideTable } from '../../ui/index.ts';
import { exchange, healthQuery } from '../exchange.ts';
import { AlarmPanel, OverallLine } from '../health/alarm-panel.tsx';
import {
  failedChecks,
  figureOf,
  freePercent,
  ledgerOf,
  sortedProcesses,
  versionsOf,
} from '../health/health-view.ts';
import { QueuesTable } from '../health/queues-table.tsx';
import { type ShownHealth, useDuration, useHealth } from '../health/use-health.ts';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';

export function Screen() {
  const { t } = useLook();
  const shown = useHealth();
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.health')}</h1>
      <OverallLine shown={shown} />
      <AlarmPanel shown={shown} />
      <div className="grid gap-1 xl:grid-cols-2">
        <LogPanel shown={shown} />
        <AgesPanel shown={shown} />
        <FollowersPanel shown={shown} />
        <StreamsPanel shown={shown} />
      </div>
      <ProcessesPanel shown={shown} />
      <div className="grid gap-1 xl:grid-cols-2">
        <QueuesPanel shown={shown} />
        <LedgerPanel shown={shown} />
        <CertificatesPanel shown={shown} />
        <DisksPanel shown={shown} />
      </div>
    </div>
  );
}

interface Shown {
  readonly shown: ShownHealth;
}

/** Formats the time since an event, or that it never happened. */
function useAge(): (ms: number | null) => string {
  const { t } = useLook();
  const duration = useDuration();
  return (ms) => (ms === null ? t('health.never') : t('health.ago', { age: duration(ms) }));
}

function LogPanel({ shown: { health, state } }: Shown) {
  const { t } = useLook();
  const duration = useDuration();
  const facts = (one: ExchangeHealth): Fact[] => [
    ...one.leaders.flatMap((leader) => [
      { label: t('health.leader'), value: <bdi dir="ltr">{leader.instance}</bdi> },
      { label: t('health.epoch'), value: <Amount value={String(leader.epoch)} /> },
      { label: t('health.position'), value: <Amount value={String(leader.frame)} /> },
      { label: t('health.unacknowledged'), value: duration(leader.unacknowledged_ms) },
      {
        label: t('health.acknowledged'),
        value: t('health.ago', { age: duration(leader.acknowledged_ms) }),
      },
    ]),
    ...(one.leaders.length > 0
      ? []
      : [
          {
            label: t('health.leader'),
            value: <span className="text-down">■ {t('console.leaderNone')}</span>,
          },
        ]),
    { label: t('health.bus'), value: <Reachable isUp={one.bus_up} /> },
    { label: t('health.database'), value: <Reachable isUp={one.database_up} /> },
    {
      label: t('health.frozenMarkets'),
      value:
        one.frozen_markets.length === 0 ? (
          t('console.none')
        ) : (
          <span className="text-down">{one.frozen_markets.join(', ')}</span>
        ),
    },
  ];
  return (
    <Panel title={t('health.log')} state={state}>
      {health !== undefined && <Facts facts={facts(health)} />}
    </Panel>
  );
}

function Reachable({ isUp }: { isUp: boolean }) {
  const { t } = useLook();
  return (
    <span className={isUp ? '' : 'text-down'}>
      <span aria-hidden="true" className={isUp ? 'text-up' : ''}>
        {isUp ? '●' : '■'}
      </span>{' '}
      {t(isUp ? 'health.up' : 'health.away')}
    </span>
  );
}

function AgesPanel({ shown: { health, state } }: Shown) {
  const { t } = useLook();
  const age = useAge();
  const duration = useDuration();
  const lacks = (ms: number | null) => (ms === null ? t('health.never') : duration(ms));
  const facts = ({ ages, processes }: ExchangeHealth): Fact[] => [
    { label: t('health.snapshot'), value: lacks(ages.snapshot_ms) },
    { label: t('health.archive'), value: lacks(ages.archive_ms) },
    { label: t('health.backup'), value: age(ages.backup_ms) },
    { label: t('health.restoreDrill'), value: age(ages.restore_drill_ms) },
    { label: t('health.reconciliation'), value: age(ages.reconciliation_ms) },
    ...(['sockets', 'subscriptions', 'slow_readers'] as const).map((figure) => ({
      label: t(figure === 'slow_readers' ? 'health.slowReaders' : `health.${figure}`),
      value: <Amount value={String(figureOf(processes, 'gateway-websocket', figure))} />,
    })),
    {
      label: t('health.versions'),
      value: <bdi dir="ltr">{versionsOf(processes).join(' · ') || '–'}</bdi>,
    },
  ];
  return (
    <Panel title={t('health.ages')} state={state}>
      {health !== undefined && <Facts facts={facts(health)} />}
    </Panel>
  );
}

function FollowersPanel({ shown: { health, state } }: Shown) {
  const { t } = useLook();
  const duration = useDuration();
  const columns: Column<HealthFollower>[] = [
    {
      key: 'instance',
      label: t('health.follower'),
      cell: ({ instance }) => <bdi dir="ltr">{instance}</bdi>,
    },
    {
      key: 'frame',
      label: t('health.frame'),
      isNumber: true,
      cell: ({ frame }) => <Amount value={String(frame)} />,
    },
    {
      key: 'lag',
      label: t('health.lag'),
      isNumber: true,
      cell: ({ lag_frames: lag }) => t('health.frames', { count: lag }),
    },
    {
      key: 'behind',
      label: t('health.behind'),
      isNumber: true,
      cell: ({ behind_ms: ms }) => duration(ms),
    },
  ];
  const rows = health?.followers ?? [];
  return (
    <Panel title={t('health.followers')} state={state}>
      {rows.length === 0 ? (
        <Nothing text={t('health.noFollowers')} />
      ) : (
        <Table
          caption={t('health.followers')}
          columns={columns}
          rows={rows}
          keyOf={({ instance, service }) => `${service} ${instance}`}
        />
      )}
    </Panel>
  );
}

function StreamsPanel({ shown: { health, state } }: Shown) {
  const { t } = useLook();
  const columns: Column<HealthStream>[] = [
    { key: 'name', label: t('health.stream'), cell: ({ name }) => <bdi dir="ltr">{name}</bdi> },
    {
      key: 'last',
      label: t('health.lastMessage'),
      isNumber: true,
      cell: ({ last }) => <Amount value={String(last)} />,
    },
    {
      key: 'missing',
      label: t('health.missing'),
      isNumber: true,
      cell: ({ missing }) => (
        <span className={missing > 0 ? 'text-down' : ''}>
          <Amount value={String(missing)} />
        </span>
      ),
    },
    {
      key: 'replicas',
      label: t('health.replicas'),
      isNumber: true,
      cell: ({ has_leader: hasLeader, replicas }) => {
        const current = replicas.filter((one) => one.current).length;
        if (!hasLeader) return <span className="text-down">■ {t('console.leaderNone')}</span>;
        return t('health.replicasCurrent', { current, count: replicas.length });
      },
    },
  ];
  return (
    <Panel title={t('health.streams')} state={state}>
      <Table
        caption={t('health.streams')}
        columns={columns}
        rows={health?.streams ?? []}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}

function ProcessesPanel({ shown: { health, state } }: Shown) {
  const { t } = useLook();
  const { may } = useOperator();
  const age = useAge();
  const [dismissed, setDismissed] = useState<string>();
  const columns: Column<HealthProcess>[] = [
    {
      key: 'instance',
      label: t('health.process'),
      cell: ({ instance }) => <bdi dir="ltr">{instance}</bdi>,
    },
    { key: 'state', label: t('health.state'), cell: (row) => <ProcessState row={row} /> },
    {
      key: 'host',
      label: t('health.host'),
      isExtra: true,
      cell: ({ host }) => <bdi dir="ltr">{host}</bdi>,
    },
    {
      key: 'pid',
      label: t('health.pid'),
      isNumber: true,
      isExtra: true,
      cell: ({ pid }) => <bdi dir="ltr">{pid}</bdi>,
    },
    {
      key: 'version',
      label: t('health.version'),
      isExtra: true,
      cell: ({ commit, version }) => (
        <bdi dir="ltr">
          {version} <span className="text-quiet">{commit}</span>
        </bdi>
      ),
    },
    {
      key: 'heard',
      label: t('health.heard'),
      isNumber: true,
      cell: ({ heard_age_ms: ms }) => age(ms),
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      isNumber: true,
      cell: ({ instance, state: one }) =>
        one === 'down' &&
        may('dismissProcess') && (
          <Button size="small" onClick={() => setDismissed(instance)}>
            {t('health.dismiss')}
          </Button>
        ),
    },
  ];
  return (
    <Panel
      title={t('health.processes')}
      dialogs={
        dismissed !== undefined && (
          <DismissDialog instance={dismissed} onClose={() => setDismissed(undefined)} />
        )
      }
      state={state}
      skeletonRows={10}
    >
      <WideTable
        caption={t('health.processes')}
        columns={columns}
        rows={sortedProcesses(health?.processes ?? [])}
        keyOf={({ instance }) => instance}
      />
    </Panel>
  );
}

function ProcessState({ row: { checks, ready, state } }: { row: HealthProcess }) {
  const { t } = useLook();
  const nameOf = useNames();
  if (state === 'down') return <Chip color="text-down">■ {t('health.down')}</Chip>;
  if (state === 'stopped') return <Chip color="text-quiet">{t('health.stopped')}</Chip>;
  if (ready) {
    return (
      <span>
        <span aria-hidden="true" className="text-up">
          ●
        </span>{' '}
        {t('health.running')}
      </span>
    );
  }
  return (
    <span className="flex items-center gap-2">
      <Chip color="text-down">▲ {t('health.notReady')}</Chip>
      <bdi dir="ltr" className="text-quiet">
        {failedChecks(checks)
          .map((check) => nameOf('readyCheck', check))
          .join(', ')}
      </bdi>
    </span>
  );
}

function DismissDialog({ instance, onClose }: { instance: string; onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const dismiss = useAct(async () => {
    await exchange.dismissProcess({ instance });
    await queries.invalidateQueries({ queryKey: healthQuery.queryKey });
    onClose();
  });
  return (
    <Dialog title={t('health.dismissTitle', { instance })} isOpen onClose={onClose}>
      <ActForm onSubmit={dismiss.run}>
        <p className="text-body">{t('health.dismissText')}</p>
        <Refusal error={dismiss.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button type="submit" look="danger" isBusy={dismiss.isBusy}>
            {t('health.dismiss')}
          </Button>
        </div>
      </ActForm>
    </Dialog>
  );
}

function QueuesPanel({ shown: { health, state } }: Shown) {
  const { t, time } = useLook();
  return (
    <Panel title={t('health.queues')} state={state}>
      {health?.database_up === false && health.tables_read_at !== null && (
        <p className="px-2 py-1 text-body text-warn">
          {t('health.tablesReadAt', { time: time(health.tables_read_at) })}
        </p>
      )}
      <QueuesTable queues={health?.queues ?? []} />
    </Panel>
  );
}

function LedgerPanel({ shown: { health, state } }: Shown) {
  const { t } = useLook();
  const columns: Column<ExchangeHealth['ledger'][number]>[] = [
    {
      key: 'coin',
      label: t('health.coin'),
      cell: ({ currency }) => <bdi dir="ltr">{currency.toUpperCase()}</bdi>,
    },
    {
      key: 'sum',
      label: t('health.sum'),
      isNumber: true,
      cell: ({ sum_atoms: sum }) => (
        <span className={/^-?0+$/.test(sum) ? '' : 'font-semibold text-down'}>
          {t('health.atoms', { sum })}
        </span>
      ),
    },
  ];
  return (
    <Panel title={t('health.ledger')} state={state}>
      {health !== undefined && (
        <>
          <LedgerLine health={health} />
          <Table
            caption={t('health.ledger')}
            columns={columns}
            rows={health.ledger}
            keyOf={({ currency }) => currency}
          />
          <Facts
            facts={[
              {
                label: t('health.differences'),
                value:
                  health.differences.length === 0 ? (
                    t('health.noDifferences')
                  ) : (
                    <span className="text-down">
                      {health.differences
                        .map(({ check, count }) => `${check}: ${count}`)
                        .join(', ')}
                    </span>
                  ),
              },
            ]}
          />
        </>
      )}
    </Panel>
  );
}

function LedgerLine({ health }: { health: ExchangeHealth }) {
  const { t } = useLook();
  const { count, unbalanced } = ledgerOf(health);
  if (count === 0) return null;
  const coins = unbalanced.map((one) => one.toUpperCase()).join(', ');
  return (
    <p className={`px-2 py-2 text-body font-semibold ${coins === '' ? 'text-up' : 'text-down'}`}>
      {coins === ''
        ? `✓ ${t('health.ledgerBalanced', { count })}`
        : `✕ ${t('health.ledgerUnbalanced', { coins })}`}
    </p>
  );
}

function CertificatesPanel({ shown: { health, state } }: Shown) {
  const { t } = useLook();
  const duration = useDuration();
  const rows = health?.certificates ?? [];
  return (
    <Panel title={t('health.certificates')} state={state} skeletonRows={2}>
      {rows.length === 0 ? (
        <Nothing text={t('health.noCertificates')} />
      ) : (
        <Facts
          facts={rows.map(({ fault, left_ms: leftMs, place }) => ({
            label: place,
            value:
              fault !== null || leftMs === null ? (
                <span className="text-down">■ {fault}</span>
              ) : leftMs <= 0 ? (
                <span className="text-down">■ {t('health.ended')}</span>
              ) : (
                t('health.endsIn', { age: duration(leftMs) })
              ),
          }))}
        />
      )}
    </Panel>
  );
}

function DisksPanel({ shown: { health, state } }: Shown) {
  const { percent, t } = useLook();
  const rows = health?.disks ?? [];
  return (
    <Panel title={t('health.disks')} state={state} skeletonRows={2}>
      {rows.length === 0 ? (
        <Nothing text={t('health.noDisks')} />
      ) : (
        <Facts
          facts={rows.map((disk) => ({
            label: `${disk.host} ${disk.path}`,
            value: `${t('health.free')}: ${percent((freePercent(disk) / 100).toFixed(2), { scale: 0 })}`,
          }))}
        />
      )}
    </Panel>
  );
}

function Nothing({ text }: { text: string }) {
  return <p className="px-2 py-3 text-body text-quiet">{text}</p>;
}
