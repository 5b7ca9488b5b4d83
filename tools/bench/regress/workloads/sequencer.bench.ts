// A sequencer's leader with its engine: receives batches, builds frames, appends frames and events
// to logs that acknowledge them and store nothing, and sends the results.

import {
  BatchWriter,
  encodeHeartbeat,
  linkSubjects,
} from '../../../../infra/command-link/index.ts';
import { commandAuthority } from '../../../../infra/identities/index.ts';
import { type LogStream, NO_EVENTS } from '../../../../infra/journal/index.ts';
import type { Clock } from '../../../../infra/process/index.ts';
import { Replica } from '../../../../infra/replica/index.ts';
import { ClockComparison } from '../../../../services/sequencer/clock-comparison.ts';
import { INTAKE_DEFAULTS } from '../../../../services/sequencer/intake.ts';
import { Leader } from '../../../../services/sequencer/leader.ts';
import { SEQUENCER_DEFAULTS } from '../../../../services/sequencer/sequencer-options.ts';
import type { SequencerWatcher } from '../../../../services/sequencer/watcher.ts';
import type { Workload } from '../workload.ts';
import { flowGroups, START_MS } from './flow-messages.ts';
import { DirectBus, TurnClock } from './turn-clock.ts';

const SUBJECTS = linkSubjects('regress');
/** Development's identity, which can also list markets. */
const SENDER = 'sandbox';
const SOURCE = 41;
const EPOCH = 1;
const BATCHES_PER_WINDOW = 10;

export function open(): Workload {
  const { groups, preparing } = flowGroups(60_000, SOURCE);
  const batches = encodeBatches(groups);
  let leader: Leader | undefined;
  let [clock, bus, results] = [new TurnClock(START_MS), new DirectBus(), 0];
  const send = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      bus.publish(SUBJECTS.commandsFrom(SENDER), batches[at]);
      clock.advance(1);
    }
  };
  return {
    windows: Math.floor((batches.length - preparing) / BATCHES_PER_WINDOW),
    restart() {
      leader?.stop();
      [clock, bus] = [new TurnClock(START_MS), new DirectBus()];
      bus.subscribe(SUBJECTS.resultsFor(SENDER, SOURCE), () => {
        results += 1;
      });
      leader = lead(clock, bus);
      clock.advance(1);
      send(0, preparing);
    },
    run(window) {
      const from = preparing + window * BATCHES_PER_WINDOW;
      results = 0;
      send(from, from + BATCHES_PER_WINDOW);
      if (results !== BATCHES_PER_WINDOW) throw new Error(`${results} batches have results`);
      return BATCHES_PER_WINDOW;
    },
  };
}

function encodeBatches(groups: ReturnType<typeof flowGroups>['groups']): Uint8Array[] {
  const writer = new BatchWriter();
  let floor = 0;
  return groups.map((commands, at) => {
    for (const command of commands) writer.add(command);
    const message = writer.close({ source: SOURCE, batch: at + 1, epoch: EPOCH, floor }).slice();
    floor += commands.length;
    return message;
  });
}

function lead(clock: TurnClock, bus: DirectBus): Leader {
  const fail = (what: string) => {
    throw new Error(what);
  };
  return new Leader({
    ...SEQUENCER_DEFAULTS,
    commands: acknowledgingLog(clock),
    events: acknowledgingLog(clock),
    bus,
    heartbeats: {
      send: (heartbeat) => bus.publish(SUBJECTS.leader, encodeHeartbeat(heartbeat)),
      stop: () => {},
    },
    clock,
    clocks: new ClockComparison(clock),
    subjects: SUBJECTS,
    instance: 'a',
    writer: 1,
    intake: INTAKE_DEFAULTS,
    authority: commandAuthority('development'),
    replica: Replica.create(),
    eventsEnd: NO_EVENTS,
    eventsLacking: [],
    poison: { steps: [], commands: [] },
    findSuccessor: () => 'none',
    rebuild: () => fail('expected no rebuild'),
    onEnd: ({ kind }) => fail(`the leader ended: ${kind}`),
    watcher: {
      ...SILENT,
      batchRefused: (reason) => fail(`the leader refused a batch: ${reason}`),
    },
  });
}

function acknowledgingLog(clock: Clock): LogStream {
  let last = 0;
  return {
    append(sequence, _message, done) {
      last = sequence;
      clock.soon(() => done('stored'));
    },
    extent: (done) => void clock.soon(() => done({ first: 1, last })),
    read: (_sequence, done) => void clock.soon(() => done(undefined)),
    follow: () => ({ stop() {} }),
  };
}

const nothing = () => {};
const SILENT: SequencerWatcher = {
  stateRestored: nothing,
  takeoverStarted: nothing,
  leadershipYielded: nothing,
  stoodStill: nothing,
  leaderElected: nothing,
  clockJumped: nothing,
  frameMade: nothing,
  frameStored: nothing,
  batchRefused: nothing,
  commandForbidden: nothing,
  commandPoisoned: nothing,
  readerStalled: nothing,
  digestMatched: nothing,
  stateMatched: nothing,
};
