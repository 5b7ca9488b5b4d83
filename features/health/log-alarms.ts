// Alarms for the log, its leader, its standby and its followers. Beats travel on the bus: while it
// is unreachable, `LogUnreachable` is the only meaningful one of them.

import { MINUTE_MS } from '../../core/market-data/index.ts';
import {
  type AlarmDefinition,
  type AlarmDetail,
  countText,
  type Limits,
  SECOND_MS,
  severityOf,
  spanText,
} from './alarm-definition.ts';
import type { HealthFacts, ProcessFact } from './health-facts.ts';

/** A failover takes one to two seconds, and its beats one more. */
const LEADER_CHANGE_MS = 3 * SECOND_MS;
/** An append takes milliseconds; an election inside the log takes up to two seconds. */
const APPEND_MS = 3 * SECOND_MS;

/** Every exchange has these two streams; their names have these endings. */
const LOG_STREAMS = ['COMMANDS', 'EVENTS'];

/** Maximum lag of a follower, and the reason. */
const FOLLOWER_LIMITS: Readonly<Record<string, Limits>> = {
  // A read waits three seconds for the tables, then fails.
  projector: { ticketMs: 3 * SECOND_MS, pageMs: 30 * SECOND_MS },
  // Traders act on prices with this age.
  publisher: { ticketMs: 3 * SECOND_MS, pageMs: 15 * SECOND_MS },
  // A standby must first apply what it lacks, so a failover would take this long.
  sequencer: { ticketMs: 10 * SECOND_MS, pageMs: MINUTE_MS },
  // A segment is due every minute, and a snapshot every ten.
  archivist: { ticketMs: MINUTE_MS, pageMs: 10 * MINUTE_MS },
  // It compares at its replica's frame, so discrepancies stay undetected for this long.
  reconciler: { ticketMs: 30 * SECOND_MS, pageMs: 10 * MINUTE_MS },
};

export const LOG_ALARMS: readonly AlarmDefinition[] = [
  { name: 'LogUnreachable', severity: 'page', rule: unreachable },
  { name: 'NoLeader', severity: 'page', rule: noLeader },
  { name: 'TwoLeaders', severity: 'page', rule: twoLeaders },
  { name: 'LogStandsStill', severity: 'page', rule: standsStill },
  { name: 'LogDamaged', severity: 'page', rule: damaged },
  { name: 'LogReplica', severity: 'ticket', rule: replicas },
  { name: 'NoStandby', severity: 'page', rule: noStandby },
  { name: 'FollowerBehind', severity: 'ticket', rule: followersBehind },
];

function unreachable({ isBusUp, streams }: HealthFacts): readonly AlarmDetail[] {
  if (!isBusUp) return [{ object: '', detail: 'NATS is not responding.' }];
  return LOG_STREAMS.filter((name) => !streams.some((one) => one.name.endsWith(name))).map(
    (name) => ({ object: name, detail: `JetStream reports no stream ${name}.` }),
  );
}

function noLeader({ isBusUp, leaders, leadersForMs }: HealthFacts): readonly AlarmDetail[] {
  if (!isBusUp || leaders.length > 0 || leadersForMs < LEADER_CHANGE_MS) return [];
  return [{ object: '', detail: `No leading sequencer for ${spanText(leadersForMs)}.` }];
}

function twoLeaders({ isBusUp, leaders, leadersForMs }: HealthFacts): readonly AlarmDetail[] {
  if (!isBusUp || leaders.length < 2 || leadersForMs < LEADER_CHANGE_MS) return [];
  const claims = leaders.map(({ epoch, instance }) => `${instance} (epoch ${epoch})`).join(', ');
  const detail = `${leaders.length} sequencers claim to lead: ${claims}.`;
  return [{ object: '', detail }];
}

function standsStill({ isBusUp, leaders }: HealthFacts): readonly AlarmDetail[] {
  if (!isBusUp) return [];
  return leaders
    .filter(({ unacknowledgedMs }) => !(unacknowledgedMs < APPEND_MS))
    .map(({ instance, sequence, unacknowledgedMs }) => ({
      object: instance,
      detail: `The log has not acknowledged an append from ${instance} for ${spanText(
        unacknowledgedMs,
      )} (last frame ${sequence}).`,
    }));
}

function damaged({ streams }: HealthFacts): readonly AlarmDetail[] {
  return streams
    .filter(({ missing }) => missing > 0)
    .map(({ missing, name }) => ({
      object: name,
      detail: `${name} is missing ${countText(missing, 'message')}.`,
    }));
}

function replicas({ streams }: HealthFacts): readonly AlarmDetail[] {
  return streams.flatMap(({ hasLeader, name, replicas: all }): AlarmDetail[] => {
    if (!hasLeader) {
      return [{ object: name, detail: `Stream ${name} has no leader.`, severity: 'page' }];
    }
    const late = all.filter(({ isCurrent }) => !isCurrent).map((replica) => replica.name);
    if (late.length === 0) return [];
    const replicas = `${late.length} of ${countText(all.length, 'replica')}`;
    return [{ object: name, detail: `${replicas} of ${name} out of sync: ${late.join(', ')}.` }];
  });
}

function noStandby({ isBusUp, leaders, processes }: HealthFacts): readonly AlarmDetail[] {
  if (!isBusUp) return [];
  const leading = new Set(leaders.map(({ instance }) => instance));
  const running = processes.filter(isRunning).filter(({ service }) => service === 'sequencer');
  if (running.some(({ instance }) => !leading.has(instance))) return [];
  if (isAlone(processes)) return [];
  const detail = `${countText(running.length, 'sequencer')} running, no standby.`;
  return [{ object: '', detail }];
}

/** Single machine with one sequencer: no standby expected. */
function isAlone(processes: readonly ProcessFact[]): boolean {
  const hosts = new Set(processes.map(({ host }) => host));
  const sequencers = processes.filter(({ service }) => service === 'sequencer');
  return hosts.size === 1 && sequencers.length === 1;
}

function followersBehind(facts: HealthFacts): readonly AlarmDetail[] {
  if (!facts.isBusUp) return [];
  const behind = facts.followers.flatMap((follower): AlarmDetail[] => {
    const { behindMs, frame, instance, lagFrames, service } = follower;
    const limits = FOLLOWER_LIMITS[service] ?? FOLLOWER_LIMITS.archivist;
    const severity = severityOf(behindMs, limits);
    if (severity === undefined) return [];
    const lag = `${spanText(behindMs)} (${countText(lagFrames, 'frame')})`;
    return [
      { object: instance, detail: `${instance} lags by ${lag}, at frame ${frame}.`, severity },
    ];
  });
  return [...behind, ...withoutPosition(facts)];
}

/** A follower that is ready and active but reports no position must not count as caught up. */
function withoutPosition({ followers, leaders, processes }: HealthFacts): readonly AlarmDetail[] {
  const known = new Set([...followers, ...leaders].map(({ instance }) => instance));
  return processes
    .filter((one) => isRunning(one) && one.notReadyMs === 0 && one.figures.stands_by !== 1)
    .filter(({ instance, service }) => service in FOLLOWER_LIMITS && !known.has(instance))
    .map(({ instance }) => ({
      object: instance,
      detail: `${instance} does not report its position in the log.`,
    }));
}

function isRunning({ state }: ProcessFact): boolean {
  return state === 'running';
}
