// Alarms for processes: gone, not ready, wrong version, busy, outdated switches or a wrong clock.

import { MINUTE_MS } from '../../core/market-data/index.ts';
import {
  type AlarmDefinition,
  type AlarmDetail,
  countText,
  SECOND_MS,
  spanText,
} from './alarm-definition.ts';
import type { HealthFacts, ProcessFact } from './health-facts.ts';

/** The exchange does not work without each of these. `NoLeader` covers the sequencers. */
const SERVICES = [
  'projector',
  'publisher',
  'outbox-dispatcher',
  'archivist',
  'reconciler',
  'notifier',
  'gateway-http',
  'gateway-websocket',
];

/** A start takes a few seconds: a replica loads its snapshot, a gateway the feed. */
const READY_MS = 10 * SECOND_MS;
/** Half a second until a process reads them, a second until its beat, one until the report. */
const SWITCH_MS = 3 * SECOND_MS;
/** Everything in the process was delayed this long. Garbage collection takes a tenth of it. */
const LOOP_MS = 500;
/** One per second for a minute: more than a few clients with bad networks. */
const SLOW_READERS = 60;
/** Long enough to be noticed; the sequencer's counter stays. */
const FORBIDDEN_MS = 60 * MINUTE_MS;
/** The sequencer's limit, beyond which it does not trust a clock. */
const CLOCK_MS = SECOND_MS;
/** A clock that was set once might be set again. */
const CLOCK_JUMPED_MS = 10 * MINUTE_MS;

export const PROCESS_ALARMS: readonly AlarmDefinition[] = [
  { name: 'ServiceDown', severity: 'page', rule: down },
  { name: 'ServiceNotReady', severity: 'page', rule: notReady },
  { name: 'CommandForbidden', severity: 'page', rule: forbidden },
  { name: 'ClockWrong', severity: 'page', rule: clockWrong },
  { name: 'SwitchLate', severity: 'page', rule: switchLate },
  { name: 'VersionsDiffer', severity: 'ticket', rule: versionsDiffer },
  { name: 'LoopBlocked', severity: 'ticket', rule: loopBlocked },
  { name: 'SlowReaders', severity: 'ticket', rule: slowReaders },
];

function down({ isBusUp, nowMs, processes }: HealthFacts): readonly AlarmDetail[] {
  if (!isBusUp) return [];
  const silent = processes
    .filter(({ state }) => state === 'down')
    .map(({ heardMs, host, instance }) => ({
      object: instance,
      detail: `No heartbeat from ${instance} on ${host} for ${spanText(nowMs - heardMs)}.`,
    }));
  const present = new Set(
    processes.filter(({ state }) => state !== 'stopped').map(({ service }) => service),
  );
  const absent = SERVICES.filter((service) => !present.has(service)).map((service) => ({
    object: service,
    detail: `No ${service} is running.`,
  }));
  return [...silent, ...absent];
}

function notReady(facts: HealthFacts): readonly AlarmDetail[] {
  if (!facts.isBusUp) return [];
  return running(facts)
    .filter(({ notReadyMs }) => notReadyMs >= READY_MS)
    .flatMap(({ checks, instance, notReadyMs }): AlarmDetail[] => {
      const failing = Object.entries(checks).filter(
        ([check, result]) => result !== true && !hasOwnAlarm(check, facts),
      );
      if (failing.length === 0) return [];
      const reasons = failing.map(([check, result]) =>
        typeof result === 'string' ? `${check} (${result})` : check,
      );
      const detail = `${instance} has not been ready for ${spanText(notReadyMs)}: `;
      return [{ object: instance, detail: `${detail}${reasons.join(', ')}.` }];
    });
}

/** Checks whose cause already has an open alarm: one cause, one alarm. */
function hasOwnAlarm(check: string, { isDatabaseUp, leaders }: HealthFacts): boolean {
  if (check === 'database') return !isDatabaseUp;
  if (check === 'leader') return leaders.length === 0;
  return check === 'lag';
}

/** Includes processes that are not responding: one that only lost the bus might still serve. */
function switchLate(facts: HealthFacts): readonly AlarmDetail[] {
  const { processes, switchesForMs, switchesVersion } = facts;
  if (switchesVersion === undefined || switchesForMs === undefined) return [];
  if (switchesForMs < SWITCH_MS) return [];
  return processes
    .filter(({ state }) => state !== 'stopped')
    .flatMap(({ instance, switchesVersion: applied }): AlarmDetail[] => {
      if (applied === undefined || applied >= switchesVersion) return [];
      const latest = `version ${switchesVersion} took effect ${spanText(switchesForMs)} ago`;
      const detail = `${instance} still applies switch version ${applied}; ${latest}.`;
      return [{ object: instance, detail }];
    });
}

function versionsDiffer(facts: HealthFacts): readonly AlarmDetail[] {
  const byVersion = Map.groupBy(running(facts), ({ commit, version }) => `${version} (${commit})`);
  if (byVersion.size < 2) return [];
  const largestFirst = [...byVersion].sort(([, a], [, b]) => b.length - a.length);
  const list = largestFirst.map(([version, all], at) =>
    at === 0
      ? `${version} in ${countText(all.length, 'process', 'processes')}`
      : `${version} in ${all.map(({ instance }) => instance).join(', ')}`,
  );
  return [{ object: '', detail: `${byVersion.size} versions running: ${list.join('; ')}.` }];
}

function loopBlocked(facts: HealthFacts): readonly AlarmDetail[] {
  return running(facts).flatMap(({ figures, instance }): AlarmDetail[] => {
    const delayMs = figures.event_loop_ms;
    if (delayMs === undefined) {
      return [{ object: instance, detail: `${instance} does not report its event loop.` }];
    }
    if (delayMs < LOOP_MS) return [];
    const detail = `Event loop of ${instance} delayed by ${Math.round(delayMs)}ms.`;
    return [{ object: instance, detail }];
  });
}

/** No honest process sends such a command: its sender is compromised or misconfigured. */
function forbidden(facts: HealthFacts): readonly AlarmDetail[] {
  return running(facts).flatMap(({ figures, instance }): AlarmDetail[] => {
    const agoMs = figures.forbidden_ago_ms;
    if (agoMs === undefined || agoMs > FORBIDDEN_MS) return [];
    const ago = spanText(agoMs);
    const detail = `${instance} rejected a command from an unauthorized sender ${ago} ago.`;
    return [{ object: instance, detail }];
  });
}

function clockWrong(facts: HealthFacts): readonly AlarmDetail[] {
  return running(facts).flatMap(({ figures, host, instance }): AlarmDetail[] => {
    const { clock_ahead_ms = 0, clock_jumped_ago_ms, time_ahead_ms = 0 } = figures;
    if (Math.abs(time_ahead_ms) > CLOCK_MS) {
      const detail = `Frame time is ${offText(time_ahead_ms)} the clocks.`;
      return [{ object: instance, detail }];
    }
    if (Math.abs(clock_ahead_ms) > CLOCK_MS) {
      const detail = `The clock on ${host} is ${offText(clock_ahead_ms)} the other clocks.`;
      return [{ object: instance, detail }];
    }
    if (clock_jumped_ago_ms === undefined || clock_jumped_ago_ms > CLOCK_JUMPED_MS) return [];
    const detail = `The clock on ${host} was changed ${spanText(clock_jumped_ago_ms)} ago.`;
    return [{ object: instance, detail }];
  });
}

function offText(aheadMs: number): string {
  return `${spanText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
}

function slowReaders(facts: HealthFacts): readonly AlarmDetail[] {
  const gateways = running(facts).filter(({ service }) => service === 'gateway-websocket');
  return gateways.flatMap(({ figures, instance }): AlarmDetail[] => {
    const closed = figures.slow_readers;
    if (closed === undefined) {
      return [{ object: instance, detail: `${instance} does not report its slow consumers.` }];
    }
    if (closed < SLOW_READERS) return [];
    const detail = `${instance} closed ${countText(closed, 'slow connection')} within a minute.`;
    return [{ object: instance, detail }];
  });
}

function running({ processes }: HealthFacts): readonly ProcessFact[] {
  return processes.filter(({ state }) => state === 'running');
}
