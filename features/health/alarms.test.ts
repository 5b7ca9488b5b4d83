// Tests every alarm with facts that raise it and similar facts that do not. Healthy facts raise
// nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALARM_SEVERITIES, alarmsOf, alarmsWithoutMonitor, runbookOf } from './alarms.ts';
import type { HealthFacts, ProcessFact, StreamFact } from './health-facts.ts';
import {
  ago,
  DAY_MS,
  followers,
  HEALTHY,
  HOUR_MS,
  leader,
  MINUTE_MS,
  PROCESSES,
  processFact,
  stream,
} from './healthy-facts-for-test.ts';

const changed = (instance: string, change: Partial<ProcessFact>): Partial<HealthFacts> => ({
  processes: PROCESSES.map((one) => (one.instance === instance ? { ...one, ...change } : one)),
});
const without = (service: string): Partial<HealthFacts> => ({
  processes: PROCESSES.filter((one) => one.service !== service),
});
const behind = (instance: string, behindMs: number): Partial<HealthFacts> => ({
  followers: followers.map((one) =>
    one.instance === instance ? { ...one, frame: 860, lagFrames: 40, behindMs } : one,
  ),
});
const queue = (name: string, oldestMs: number): Partial<HealthFacts> => ({
  queues: HEALTHY.queues.map((one) => (one.name === name ? { name, waiting: 4, oldestMs } : one)),
});
const aged = (name: string, ageMs: number | undefined): Partial<HealthFacts> => ({
  ages: HEALTHY.ages.map((one) => (one.name === name ? { ...one, ageMs } : one)),
});
const commands = (change: Partial<StreamFact>): Partial<HealthFacts> => ({
  streams: [stream('RIALTO_COMMANDS', change), stream('RIALTO_EVENTS')],
});
const certificate = (leftMs: number): Partial<HealthFacts> => ({
  certificates: [{ place: 'api.example:443', endsMs: ago(-leftMs) }],
});
const disk = (freeBytes: number, totalBytes = 100): Partial<HealthFacts> => ({
  disks: [{ host: 'm1', path: '/var/lib/nats', freeBytes, totalBytes }],
});
const second = { ...leader, instance: 'sequencer-2', epoch: 2, acknowledgedMs: 20 };
const onlyLeader = PROCESSES.filter(({ instance }) => instance !== 'sequencer-2');
const waiting = { ...leader, acknowledgedMs: 3_100 };

/** `[alarm, object, severity, facts that raise it, similar facts that raise nothing]`. */
type Row = [
  name: string,
  object: string,
  severity: 'page' | 'ticket',
  raises: Partial<HealthFacts>,
  passes: Partial<HealthFacts>,
];

const LOG_ROWS: readonly Row[] = [
  [
    'NoLeader',
    '',
    'page',
    // The previous leader is now a standby.
    {
      leaders: [],
      leadersForMs: 3_000,
      followers: [...followers, { ...followers[0], instance: 'sequencer-1' }],
    },
    {
      leaders: [],
      leadersForMs: 2_999,
      followers: [...followers, { ...followers[0], instance: 'sequencer-1' }],
    },
  ],
  [
    'TwoLeaders',
    '',
    'page',
    {
      leaders: [...HEALTHY.leaders, second],
      leadersForMs: 3_000,
      processes: [...PROCESSES, processFact('sequencer', { instance: 's3', notReadyMs: 1 })],
    },
    {
      leaders: [...HEALTHY.leaders, second],
      leadersForMs: 2_999,
      processes: [...PROCESSES, processFact('sequencer', { instance: 's3', notReadyMs: 1 })],
    },
  ],
  [
    'NoStandby',
    '',
    'page',
    changed('sequencer-2', { state: 'stopped' }),
    // One machine with one sequencer.
    { processes: onlyLeader },
  ],
  [
    'NoStandby',
    '',
    'page',
    { processes: onlyLeader.map((one, at) => (at === 0 ? { ...one, host: 'm2' } : one)) },
    {},
  ],
  [
    'LogStandsStill',
    'sequencer-1',
    'page',
    { leaders: [{ ...waiting, unacknowledgedMs: 3_000 }] },
    { leaders: [{ ...waiting, unacknowledgedMs: 2_999 }] },
  ],
  ['LogUnreachable', '', 'page', { isBusUp: false }, {}],
  ['LogUnreachable', 'EVENTS', 'page', { streams: [stream('RIALTO_COMMANDS')] }, {}],
  ['LogReplica', 'RIALTO_COMMANDS', 'page', commands({ hasLeader: false }), commands({})],
  [
    'LogReplica',
    'RIALTO_COMMANDS',
    'ticket',
    commands({ replicas: [{ name: 'n1', isCurrent: false }] }),
    commands({ replicas: [{ name: 'n1', isCurrent: true }] }),
  ],
  ['LogDamaged', 'RIALTO_COMMANDS', 'page', commands({ missing: 1 }), commands({ missing: 0 })],
  ['FollowerBehind', 'projector', 'ticket', behind('projector', 3_000), behind('projector', 2_999)],
  ['FollowerBehind', 'projector', 'page', behind('projector', 30_000), {}],
  ['FollowerBehind', 'publisher', 'ticket', behind('publisher', 3_000), behind('publisher', 2_999)],
  ['FollowerBehind', 'publisher', 'page', behind('publisher', 15_000), {}],
  [
    'FollowerBehind',
    'sequencer-2',
    'ticket',
    behind('sequencer-2', 10_000),
    behind('sequencer-2', 9_999),
  ],
  [
    'FollowerBehind',
    'archivist',
    'ticket',
    behind('archivist', MINUTE_MS),
    behind('archivist', MINUTE_MS - 1),
  ],
  [
    'FollowerBehind',
    'reconciler',
    'ticket',
    behind('reconciler', 30_000),
    behind('reconciler', 29_999),
  ],
  [
    'FollowerBehind',
    'publisher',
    'ticket',
    { followers: followers.filter(({ service }) => service !== 'publisher') },
    {
      followers: followers.filter(({ service }) => service !== 'publisher'),
      ...changed('publisher', { notReadyMs: 500 }),
    },
  ],
  [
    'FollowerBehind',
    'publisher',
    'ticket',
    { followers: followers.filter(({ service }) => service !== 'publisher') },
    {
      followers: followers.filter(({ service }) => service !== 'publisher'),
      ...changed('publisher', { figures: { event_loop_ms: 12, stands_by: 1 } }),
    },
  ],
];

const PROCESS_ROWS: readonly Row[] = [
  [
    'ServiceDown',
    'gateway-http-1',
    'page',
    changed('gateway-http-1', { state: 'down', heardMs: ago(3_200) }),
    changed('gateway-http-1', { state: 'stopped', heardMs: ago(DAY_MS) }),
  ],
  ['ServiceDown', 'notifier', 'page', without('notifier'), {}],
  [
    'ServiceDown',
    'notifier',
    'page',
    changed('notifier', { state: 'stopped' }),
    changed('notifier', { state: 'running' }),
  ],
  [
    'ServiceNotReady',
    'gateway-websocket',
    'page',
    changed('gateway-websocket', { checks: { catalogue: false }, notReadyMs: 10_000 }),
    changed('gateway-websocket', { checks: { catalogue: false }, notReadyMs: 9_999 }),
  ],
  [
    'SwitchLate',
    'gateway-http-2',
    'page',
    { ...changed('gateway-http-2', { switchesVersion: 6 }), switchesForMs: 3_000 },
    { ...changed('gateway-http-2', { switchesVersion: 6 }), switchesForMs: 2_999 },
  ],
  [
    'VersionsDiffer',
    '',
    'ticket',
    changed('projector', { commit: 'def5678' }),
    changed('gateway-http-1', { commit: 'def5678', state: 'stopped' }),
  ],
  [
    'LoopBlocked',
    'projector',
    'ticket',
    changed('projector', { figures: { event_loop_ms: 500 } }),
    changed('projector', { figures: { event_loop_ms: 499 } }),
  ],
  ['LoopBlocked', 'projector', 'ticket', changed('projector', { figures: {} }), {}],
  [
    'CommandForbidden',
    'projector',
    'page',
    changed('projector', { figures: { event_loop_ms: 1, forbidden_ago_ms: 3_600_000 } }),
    changed('projector', { figures: { event_loop_ms: 1, forbidden_ago_ms: 3_600_001 } }),
  ],
  ...['clock_ahead_ms', 'time_ahead_ms'].flatMap((name): Row[] =>
    [1_001, -1_001].map((ms) => [
      'ClockWrong',
      'projector',
      'page',
      changed('projector', { figures: { event_loop_ms: 1, [name]: ms } }),
      changed('projector', { figures: { event_loop_ms: 1, [name]: ms - Math.sign(ms) } }),
    ]),
  ),
  [
    'ClockWrong',
    'projector',
    'page',
    changed('projector', { figures: { event_loop_ms: 1, clock_jumped_ago_ms: 600_000 } }),
    changed('projector', { figures: { event_loop_ms: 1, clock_jumped_ago_ms: 600_001 } }),
  ],
  [
    'SlowReaders',
    'gateway-websocket',
    'ticket',
    changed('gateway-websocket', { figures: { event_loop_ms: 1, slow_readers: 60 } }),
    changed('gateway-websocket', { figures: { event_loop_ms: 1, slow_readers: 59 } }),
  ],
  [
    'SlowReaders',
    'gateway-websocket',
    'ticket',
    changed('gateway-websocket', { figures: { event_loop_ms: 1 } }),
    {},
  ],
];

const STORAGE_ROWS: readonly Row[] = [
  ['DatabaseAway', '', 'page', { isDatabaseUp: false }, {}],
  ['SnapshotOld', '', 'ticket', aged('snapshot', 30 * MINUTE_MS), aged('snapshot', 1_799_999)],
  ['SnapshotOld', '', 'page', aged('snapshot', 6 * HOUR_MS), {}],
  ['SnapshotOld', '', 'ticket', aged('snapshot', undefined), {}],
  ['ArchiveOld', '', 'ticket', aged('archive', 5 * MINUTE_MS), aged('archive', 299_999)],
  ['ArchiveOld', '', 'page', aged('archive', 15 * MINUTE_MS), {}],
  ['BackupOld', '', 'ticket', aged('backup', 26 * HOUR_MS), aged('backup', 26 * HOUR_MS - 1)],
  ['BackupOld', '', 'page', aged('backup', 50 * HOUR_MS), {}],
  ['BackupOld', '', 'ticket', aged('backup', undefined), {}],
  [
    'RestoreDrillOld',
    '',
    'ticket',
    aged('restore_drill', 35 * DAY_MS),
    aged('restore_drill', 35 * DAY_MS - 1),
  ],
  [
    'CertificateEnds',
    'api.example:443',
    'ticket',
    certificate(21 * DAY_MS - 1),
    certificate(21 * DAY_MS),
  ],
  ['CertificateEnds', 'api.example:443', 'page', certificate(7 * DAY_MS - 1), {}],
  ['CertificateEnds', 'api.example:443', 'page', certificate(-1), {}],
  [
    'CertificateUnreadable',
    'api.example:443',
    'ticket',
    { certificates: [{ place: 'api.example:443', endsMs: undefined, fault: 'ECONNREFUSED' }] },
    { certificates: [] },
  ],
  ['DiskLow', 'm1 /var/lib/nats', 'ticket', disk(24), disk(25)],
  ['DiskLow', 'm1 /var/lib/nats', 'page', disk(14), disk(25)],
  ['DiskLow', 'm1 /var/lib/nats', 'ticket', disk(0, 0), disk(25)],
];

const MONEY_ROWS: readonly Row[] = [
  ['QueueOld', 'mails', 'ticket', queue('mails', MINUTE_MS), queue('mails', MINUTE_MS - 1)],
  ['QueueOld', 'mails', 'page', queue('mails', 3 * MINUTE_MS), {}],
  ['QueueOld', 'outbox', 'ticket', queue('outbox', 10_000), queue('outbox', 9_999)],
  [
    'QueueOld',
    'engine commands',
    'ticket',
    queue('engine commands', 5_000),
    queue('engine commands', 4_999),
  ],
  [
    'QueueOld',
    'approvals',
    'ticket',
    queue('approvals', 12 * HOUR_MS),
    queue('approvals', 12 * HOUR_MS - 1),
  ],
  [
    'QueueOld',
    'withdrawals in review',
    'ticket',
    queue('withdrawals in review', 12 * HOUR_MS),
    queue('withdrawals in review', 12 * HOUR_MS - 1),
  ],
  [
    'QueueOld',
    'transfers to publish',
    'ticket',
    queue('transfers to publish', MINUTE_MS),
    queue('transfers to publish', MINUTE_MS - 1),
  ],
  [
    'QueueOld',
    'erasures',
    'ticket',
    { queues: [...HEALTHY.queues, { name: 'erasures', waiting: 1, oldestMs: HOUR_MS }] },
    { queues: [...HEALTHY.queues, { name: 'erasures', waiting: 1, oldestMs: HOUR_MS - 1 }] },
  ],
  ['QueueOld', 'outbox', 'ticket', { queues: HEALTHY.queues.filter((_, at) => at !== 1) }, {}],
  [
    'LedgerUnbalanced',
    'usdt',
    'page',
    { ledger: [{ asset: 'usdt', sumAtoms: '-1' }] },
    { ledger: [{ asset: 'usdt', sumAtoms: '0' }] },
  ],
  [
    'MoneyDiffers',
    'balances',
    'page',
    { differences: [{ check: 'balances', count: 1 }] },
    { differences: [{ check: 'balances', count: 0 }] },
  ],
  [
    'ReconciliationOld',
    '',
    'ticket',
    aged('reconciliation', 15 * MINUTE_MS),
    aged('reconciliation', 15 * MINUTE_MS - 1),
  ],
  ['ReconciliationOld', '', 'ticket', { ages: HEALTHY.ages.slice(0, 4) }, {}],
  ['MarketFrozen', 'btc-usdt', 'page', { frozenMarkets: ['btc-usdt'] }, { frozenMarkets: [] }],
];

type Figures = Record<string, number>;
const chain = (figures: Figures): Partial<HealthFacts> => {
  const heights = { eth_height: 900, eth_final_height: 900, eth_tip_height: 964 };
  const all = { event_loop_ms: 12, ...heights, ...figures };
  return { processes: [...PROCESSES, processFact('chain-watcher', { figures: all })] };
};

const CHAIN_ROWS = (
  [
    ['ChainHalted', 'page', { eth_halted: 1 }, { eth_halted: 0 }],
    ['NodesDisagree', 'page', { eth_disagree_ms: 300_000 }, { eth_disagree_ms: 299_999 }],
    ['ChainBehind', 'ticket', { eth_failing_ms: 300_000 }, { eth_failing_ms: 299_999 }],
    ['ChainBehind', 'page', { eth_failing_ms: HOUR_MS }, {}],
    ['ChainBehind', 'ticket', { eth_final_height: 964 }, { eth_final_height: 963 }],
  ] as const
).map(([name, severity, bad, good]): Row => [name, 'eth', severity, chain(bad), chain(good)]);

const withFile = (dispatcherFile: string): Partial<HealthFacts> => ({
  processes: PROCESSES.map((one) =>
    one.service === 'outbox-dispatcher'
      ? { ...one, custodyFile: dispatcherFile }
      : { ...one, custodyFile: 'ab'.repeat(32) },
  ),
});
const FILE_ROWS: readonly Row[] = [
  ['CustodyFilesDiffer', '', 'page', withFile('cd'.repeat(32)), withFile('ab'.repeat(32))],
  [
    'CustodyFilesDiffer',
    '',
    'page',
    changed('gateway-http-2', { custodyFile: 'ab'.repeat(32) }),
    changed('projector', { custodyFile: 'ab'.repeat(32) }),
  ],
];

const ROWS = [
  ...FILE_ROWS,
  ...CHAIN_ROWS,
  ...LOG_ROWS,
  ...PROCESS_ROWS,
  ...STORAGE_ROWS,
  ...MONEY_ROWS,
];

test('healthy facts raise no alarm', () => {
  assert.deepEqual(alarmsOf(HEALTHY), []);
});

for (const [name, object, severity, raises, passes] of ROWS) {
  test(`${name} ${object || 'of the exchange'} becomes a ${severity} at its limit`, () => {
    const open = alarmsOf({ ...HEALTHY, ...raises });
    assert.deepEqual(
      open.map((alarm) => [alarm.name, alarm.object, alarm.severity]),
      [[name, object, severity]],
    );
    assert.match(open[0].detail, /\.$/);
    assert.deepEqual(alarmsOf({ ...HEALTHY, ...passes }), []);
  });
}

test('every alarm has a row', () => {
  const shown = new Set(ROWS.map(([name]) => name)).add('MonitorSilent');
  assert.deepEqual(
    [...ALARM_SEVERITIES.keys()].filter((name) => !shown.has(name)),
    [],
  );
  assert.deepEqual(
    [...shown].filter((name) => !ALARM_SEVERITIES.has(name)),
    [],
  );
});

test('a newly started archivist gets time before old frames raise alarms', () => {
  const names = (startedMs: number, state: ProcessFact['state'] = 'running') => {
    const ages = HEALTHY.ages.map((one) => ({ ...one, ageMs: 30 * DAY_MS }));
    const archivist = changed('archivist', { startedMs: ago(startedMs), state });
    return alarmsOf({ ...HEALTHY, ...archivist, ages: ages.slice(0, 2) })
      .filter(({ name }) => /^(?:Snapshot|Archive)Old$/.test(name))
      .map(({ name, severity }) => `${name} ${severity}`);
  };
  assert.deepEqual(names(MINUTE_MS), []);
  assert.deepEqual(names(5 * MINUTE_MS), ['ArchiveOld ticket']);
  assert.deepEqual(names(30 * MINUTE_MS), ['ArchiveOld page', 'SnapshotOld ticket']);
  assert.deepEqual(names(MINUTE_MS, 'down'), ['SnapshotOld page', 'ArchiveOld page']);
});

test('empty facts are not healthy', () => {
  const nothing: HealthFacts = {
    ...HEALTHY,
    processes: [],
    leaders: [],
    streams: [],
    followers: [],
    queues: [],
    ages: [],
  };
  const open = alarmsOf(nothing).map(({ name, object }) => `${name} ${object}`.trim());
  assert.deepEqual(open, [
    'LogUnreachable COMMANDS',
    'LogUnreachable EVENTS',
    'NoLeader',
    'NoStandby',
    'ServiceDown projector',
    'ServiceDown publisher',
    'ServiceDown outbox-dispatcher',
    'ServiceDown archivist',
    'ServiceDown reconciler',
    'ServiceDown notifier',
    'ServiceDown gateway-http',
    'ServiceDown gateway-websocket',
    'QueueOld mails',
    'QueueOld outbox',
    'QueueOld engine commands',
    'QueueOld approvals',
    'QueueOld transfers to publish',
    'QueueOld withdrawals in review',
    'ReconciliationOld',
    'SnapshotOld',
    'ArchiveOld',
    'BackupOld',
    'RestoreDrillOld',
  ]);
});

test('a time that is not a number counts as long', () => {
  const facts = { ...HEALTHY, ...behind('projector', Number.NaN) };
  assert.deepEqual(
    alarmsOf(facts).map(({ name, severity }) => [name, severity]),
    [['FollowerBehind', 'page']],
  );
});

test('while the bus is unreachable, silent processes are not reported', () => {
  const silent = PROCESSES.map((one) => ({ ...one, state: 'down' as const }));
  const facts = { ...HEALTHY, isBusUp: false, processes: silent, leaders: [], streams: [] };
  assert.deepEqual(
    alarmsOf(facts).map(({ name }) => name),
    ['LogUnreachable'],
  );
});

test('a check that fails with the database is not a separate alarm', () => {
  const waits = { checks: { database: false }, notReadyMs: HOUR_MS };
  const facts = { ...HEALTHY, ...changed('notifier', waits) };
  assert.deepEqual(
    alarmsOf({ ...facts, isDatabaseUp: false }).map(({ name }) => name),
    ['DatabaseAway'],
  );
  assert.deepEqual(
    alarmsOf(facts).map(({ detail, name }) => [name, detail]),
    [['ServiceNotReady', 'notifier has not been ready for 60m: database.']],
  );
});

test('a silent process with old switches is also late: it might still serve', () => {
  const facts = {
    ...HEALTHY,
    ...changed('gateway-http-2', { switchesVersion: 6, state: 'down', heardMs: ago(9_000) }),
  };
  assert.deepEqual(
    alarmsOf(facts).map(({ name, object }) => [name, object]),
    [
      ['ServiceDown', 'gateway-http-2'],
      ['SwitchLate', 'gateway-http-2'],
    ],
  );
});

test('pages come before tickets, and sentences contain numbers', () => {
  const facts = {
    ...HEALTHY,
    ...aged('backup', 27 * HOUR_MS),
    ...behind('publisher', 4_000),
    ...commands({ missing: 3 }),
    leaders: [{ ...waiting, unacknowledgedMs: 4_200 }],
  };
  assert.deepEqual(
    alarmsOf(facts).map(({ detail }) => detail),
    [
      'The log has not acknowledged an append from sequencer-1 for 4s (last frame 900).',
      'RIALTO_COMMANDS is missing 3 messages.',
      'publisher lags by 4s (40 frames), at frame 860.',
      'Last backup 27h ago.',
    ],
  );
});

test('a gateway raises MonitorSilent, and tells what it knows itself', () => {
  const up = { isBusUp: true, isDatabaseUp: true };
  const names = (facts: Parameters<typeof alarmsWithoutMonitor>[0]): string[] =>
    alarmsWithoutMonitor(facts).map(({ name }) => name);
  assert.deepEqual(names({ ...up, silentMs: 3_999 }), []);
  assert.deepEqual(names({ silentMs: 3_999, isBusUp: false, isDatabaseUp: false }), []);
  assert.deepEqual(names({ ...up, silentMs: 4_000 }), ['MonitorSilent']);
  assert.deepEqual(names({ silentMs: 5_000, isBusUp: false, isDatabaseUp: false }), [
    'MonitorSilent',
    'LogUnreachable',
    'DatabaseAway',
  ]);
});

test('a runbook has the name of its alarm in kebab case', () => {
  assert.equal(runbookOf('NoLeader'), 'no-leader');
  assert.equal(runbookOf('LogStandsStill'), 'log-stands-still');
});
