// Wires a sequencer process together: journal, link server, sequencer, health server.

import { randomInt } from 'node:crypto';
import { NatsBus } from '../../infra/bus/index.ts';
import { LinkServer, linkSubjects } from '../../infra/command-link/index.ts';
import { commandAuthority } from '../../infra/identities/index.ts';
import { logMarkOf, openJournal, openLogMark } from '../../infra/journal/index.ts';
import {
  createMetrics,
  type Logger,
  type Metrics,
  systemClock,
} from '../../infra/process/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { type SequencerConfig, settingsOf } from './config.ts';
import { HeartbeatThreadLink } from './heartbeat-thread-link.ts';
import { linkSecurity } from './link-security.ts';
import { Sequencer } from './sequencer.ts';
import type { SequencerEnd } from './sequencer-options.ts';
import { watchSequencer } from './telemetry.ts';

export interface SequencerApp {
  readonly sequencer: Sequencer;
  readonly healthPort: number;
  /** Hands over to a standby if this process leads, then closes everything. */
  stop(): Promise<void>;
}

export interface SequencerAppOptions {
  readonly config: SequencerConfig;
  readonly log: Logger;
  /** Called when the sequencer ends on its own; the process should exit too. */
  onEnd(end: SequencerEnd): void;
}

/** The largest range that randomInt supports. */
const WRITERS = 2 ** 48 - 1;

export async function startSequencer(options: SequencerAppOptions): Promise<SequencerApp> {
  const { config, log, onEnd } = options;
  const { exchange, instance, linkHost, linkListenHost: listenHost, linkPort: port } = config;
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openJournal({ config, as: 'sequencer', log, known: logMarkOf(config) });
  const { commands, events, nats, snapshots } = journal;
  const bus = new NatsBus(nats);
  const linkServer = new LinkServer({
    bus,
    clock: systemClock,
    subjects: linkSubjects(exchange),
    listenHost,
    port,
    host: linkHost ?? listenHost,
    ...linkSecurity(config),
  });
  const address = await linkServer.open();
  const watcher = watchSequencer(log, metrics, systemClock);
  const heartbeats = new HeartbeatThreadLink(config, systemClock);
  let onShutDown: ((end: SequencerEnd) => void) | undefined;
  const sequencer = new Sequencer({
    commands,
    events,
    snapshots,
    bus: linkServer,
    heartbeats,
    clock: systemClock,
    exchange,
    exchangeId: journal.found.exchangeId,
    instance,
    linkAddress: address,
    writer: randomInt(1, WRITERS),
    settings: settingsOf(config),
    authority: commandAuthority(config.mode),
    watcher,
    // A handover must be sent before this process exits.
    onEnd: (end) => {
      if (onShutDown === undefined) void nats.close().finally(() => onEnd(end));
      else onShutDown(end);
    },
  });
  observe(sequencer, linkServer, metrics);
  const mark = openLogMark({ config, journal, log, frame: () => logEndOf(sequencer) });
  const health = openStatus({
    service: 'sequencer',
    config,
    bus,
    log,
    metrics,
    ready: () => ({
      journal: nats.isConnected,
      log: logOf(sequencer, config.takeoverAfterMs),
      role: roleOf(sequencer),
    }),
    figures: () => ({
      ...figuresOf(sequencer, linkServer),
      forbidden_ago_ms: watcher.forbiddenAgoMs,
      clock_ahead_ms: Math.round(sequencer.clockAheadMs),
      clock_jumped_ago_ms: watcher.clockJumpedAgoMs,
    }),
  });
  const healthPort = await health.start();
  return { sequencer, healthPort, stop };

  async function stop(): Promise<void> {
    const end = await new Promise<SequencerEnd>((done) => {
      onShutDown = done;
      sequencer.shutDown();
    });
    log.info({ end }, 'shut down');
    mark?.stop();
    await health.stop();
    await linkServer.close();
    await heartbeats.close();
    await journal.close();
  }
}

/** Returns the last frame known to be in the log. */
function logEndOf({ leader, replica }: Sequencer): number {
  return leader?.stored ?? replica?.sequence ?? 0;
}

/** A following standby is as ready as a leader that accepts commands. */
function roleOf({ leader, state }: Sequencer): true | string {
  if (state === 'following') return true;
  if (state !== 'leading') return `sequencer is ${state}`;
  return leader?.isServing === true ? true : 'leader is waiting for the log';
}

/** A connection to NATS is not enough: the log itself must respond. */
function logOf({ unacknowledgedMs }: Sequencer, silentMsMax: number): true | string {
  if (unacknowledgedMs <= silentMsMax) return true;
  return `the log has not answered for ${Math.round(unacknowledgedMs)} ms`;
}

/** `leads` once the log has its first frame; until then another sequencer can win. */
function figuresOf({ leader, replica, state }: Sequencer, linkServer: LinkServer) {
  const followed = { leads: 0, frame: replica?.sequence, epoch: replica?.epoch };
  if (state !== 'leading' || leader === undefined || !leader.isElected) return followed;
  const { acknowledgedMs, stored, unacknowledgedMs } = leader;
  return {
    leads: 1,
    epoch: leader.epoch,
    frame: stored,
    unacknowledged_ms: Math.round(unacknowledgedMs),
    acknowledged_ms: Math.round(acknowledgedMs),
    time_ahead_ms: Math.round(leader.time.aheadMs()),
    commands_waiting: leader.waiting,
    links: linkServer.connectionCount,
  };
}

function observe(sequencer: Sequencer, linkServer: LinkServer, metrics: Metrics): void {
  metrics.gauge({
    name: 'rialto_sequencer_link_connections',
    help: 'Gateways connected to this process without NATS',
    collect() {
      this.set(linkServer.connectionCount);
    },
  });
  metrics.gauge({
    name: 'rialto_sequencer_leads',
    help: '1 when this process leads',
    collect() {
      this.set(sequencer.state === 'leading' ? 1 : 0);
    },
  });
  metrics.gauge({
    name: 'rialto_sequencer_clock_ahead_seconds',
    help: "How far this machine's clock is ahead of the median of all clocks",
    collect() {
      this.set(sequencer.clockAheadMs / 1_000);
    },
  });
  metrics.gauge({
    name: 'rialto_sequencer_time_ahead_seconds',
    help: 'By how much the time of frames is ahead of the middle of all clocks; 0 on a standby',
    collect() {
      this.set((sequencer.leader?.time.aheadMs() ?? 0) / 1_000);
    },
  });
  metrics.gauge({
    name: 'rialto_sequencer_sequence',
    help: 'The last frame applied',
    collect() {
      this.set(sequencer.replica?.sequence ?? 0);
    },
  });
  metrics.gauge({
    name: 'rialto_sequencer_log_unacknowledged_ms',
    help: 'Age of the oldest request that the log has not answered',
    collect() {
      this.set(Math.round(sequencer.unacknowledgedMs));
    },
  });
  metrics.gauge({
    name: 'rialto_sequencer_log_acknowledged_ms',
    help: 'Since the last append of this leader was acknowledged; 0 for a standby',
    collect() {
      this.set(Math.round(sequencer.leader?.acknowledgedMs ?? 0));
    },
  });
  metrics.gauge({
    name: 'rialto_sequencer_commands_waiting',
    help: 'Commands that wait for a frame',
    collect() {
      this.set(sequencer.leader?.waiting ?? 0);
    },
  });
}
