// Facts of a healthy exchange, which tests of alarms change. Only tests import it.

import type { TimeMs } from '../../core/money/index.ts';
import type { HealthFacts, ProcessFact, StreamFact } from './health-facts.ts';

const NOW_MS = 1_700_000_000_000 as TimeMs;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const ago = (ms: number): TimeMs => (NOW_MS - ms) as TimeMs;

export function processFact(service: string, change: Partial<ProcessFact> = {}): ProcessFact {
  return {
    service,
    instance: service,
    host: 'm1',
    pid: 100,
    version: '0.1.0',
    commit: 'abc1234',
    startedMs: ago(DAY_MS),
    heardMs: ago(700),
    state: 'running',
    checks: { journal: true },
    notReadyMs: 0,
    figures: { event_loop_ms: 12, slow_readers: 0 },
    switchesVersion: 7,
    ...change,
  };
}

export const PROCESSES: readonly ProcessFact[] = [
  processFact('sequencer', { instance: 'sequencer-1' }),
  processFact('sequencer', { instance: 'sequencer-2' }),
  processFact('projector'),
  processFact('publisher'),
  processFact('outbox-dispatcher'),
  processFact('archivist'),
  processFact('reconciler'),
  processFact('notifier'),
  processFact('gateway-http', { instance: 'gateway-http-1' }),
  processFact('gateway-http', { instance: 'gateway-http-2' }),
  processFact('gateway-websocket'),
];

export function stream(name: string, change: Partial<StreamFact> = {}): StreamFact {
  const replicas = ['n1', 'n2', 'n3'].map((one) => ({ name: one, isCurrent: true }));
  return { name, lastSequence: 900, missing: 0, replicas, hasLeader: true, ...change };
}

export const leader = { instance: 'sequencer-1', epoch: 3, sequence: 900, unacknowledgedMs: 0 };
export const followers = [
  ['sequencer', 'sequencer-2'],
  ['projector', 'projector'],
  ['publisher', 'publisher'],
  ['archivist', 'archivist'],
  ['reconciler', 'reconciler'],
].map(([service, instance]) => ({ service, instance, frame: 900, lagFrames: 0, behindMs: 0 }));
const queueNames = [
  'mails',
  'outbox',
  'engine commands',
  'approvals',
  'transfers to publish',
  'withdrawals in review',
];
const ageNames = ['snapshot', 'archive', 'backup', 'restore_drill', 'reconciliation'] as const;

export const HEALTHY: HealthFacts = {
  nowMs: NOW_MS,
  processes: PROCESSES,
  leaders: [{ ...leader, acknowledgedMs: 20 }],
  leadersForMs: HOUR_MS,
  isBusUp: true,
  streams: [stream('RIALTO_COMMANDS'), stream('RIALTO_EVENTS')],
  isDatabaseUp: true,
  followers,
  queues: queueNames.map((name) => ({ name, waiting: 0, oldestMs: 0 })),
  ages: ageNames.map((name) => ({ name, ageMs: 1_000 })),
  certificates: [{ place: 'api.example:443', endsMs: ago(-60 * DAY_MS) }],
  disks: [{ host: 'm1', path: '/var/lib/nats', freeBytes: 60, totalBytes: 100 }],
  ledger: [{ asset: 'usdt', sumAtoms: '0' }],
  differences: [],
  frozenMarkets: [],
  switchesVersion: 7,
  switchesForMs: HOUR_MS,
};
