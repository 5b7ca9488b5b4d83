// The parts of a sequencer process, put together: journal, sequencer, health.

import { randomInt } from 'node:crypto';
import { NatsBus } from '../../infra/bus/index.ts';
import { LinkServer, linkSubjects } from '../../infra/command-link/index.ts';
import { openJournal } from '../../infra/journal/index.ts';
import {
  createHealthServer,
  createMetrics,
  type Logger,
  type Metrics,
  systemClock,
} from '../../infra/process/index.ts';
import { type SequencerConfig, settingsOf } from './config.ts';
import { GENESIS_LIMITS } from './genesis.ts';
import { Sequencer, type SequencerEnd } from './sequencer.ts';
import { watchSequencer } from './telemetry.ts';

export interface SequencerApp {
  readonly sequencer: Sequencer;
  readonly healthPort: number;
  /** Hands over, if it leads, and closes everything. */
  stop(): Promise<void>;
}

export interface SequencerAppOptions {
  readonly config: SequencerConfig;
  readonly log: Logger;
  /** It ended by itself: the process should, too. */
  onEnd(end: SequencerEnd): void;
}

/** As many as randomInt can tell apart. */
const WRITERS = 2 ** 48 - 1;

export async function startSequencer(options: SequencerAppOptions): Promise<SequencerApp> {
  const { config, log, onEnd } = options;
  const { exchange, instance, linkHost, linkListenHost: listenHost, linkPort: port } = config;
  const metrics = createMetrics({ ofProcess: true });
  const journal = await openJournal({ config, name: instance, log });
  const { commands, events, nats, snapshots } = journal;
  const door = new LinkServer({
    bus: new NatsBus(nats),
    clock: systemClock,
    subjects: linkSubjects(exchange),
    listenHost,
    port,
    host: linkHost ?? listenHost,
  });
  const address = await door.open();
  let hasLeft: ((end: SequencerEnd) => void) | undefined;
  const sequencer = new Sequencer({
    commands,
    events,
    snapshots,
    bus: door,
    clock: systemClock,
    exchange,
    instance,
    door: address,
    writer: randomInt(1, WRITERS),
    genesis: GENESIS_LIMITS,
    settings: settingsOf(config),
    watcher: watchSequencer(log, metrics),
    onEnd: (end) => (hasLeft ?? onEnd)(end),
  });
  observe(sequencer, door, metrics);
  const health = createHealthServer({
    host: config.healthHost,
    port: config.healthPort,
    metrics,
    ready: () => ({ journal: nats.isConnected, role: roleOf(sequencer) }),
  });
  const healthPort = await health.start();
  return { sequencer, healthPort, stop };

  async function stop(): Promise<void> {
    const end = await new Promise<SequencerEnd>((done) => {
      hasLeft = done;
      sequencer.leave();
    });
    log.info({ end }, 'left');
    await health.stop();
    await door.close();
    await journal.close();
  }
}

/** A standby that follows is as ready as a leader that serves. */
function roleOf({ leader, state }: Sequencer): true | string {
  if (state === 'following') return true;
  if (state !== 'leading') return `it is ${state}`;
  return leader?.isServing === true ? true : 'it leads, and waits for the log';
}

function observe(sequencer: Sequencer, door: LinkServer, metrics: Metrics): void {
  metrics.gauge({
    name: 'rialto_sequencer_lines',
    help: 'Gateways that speak to this process without NATS between',
    collect() {
      this.set(door.lineCount);
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
    name: 'rialto_sequencer_sequence',
    help: 'The last frame applied',
    collect() {
      this.set(sequencer.replica?.sequence ?? 0);
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
