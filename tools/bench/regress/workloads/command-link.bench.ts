// Command link: a client sends orders in batches over an in-memory bus, and matches the results
// that a minimal leader writes for them.

import {
  COMMAND_CLIENT_DEFAULTS,
  CommandClient,
  decodeBatch,
  encodeHeartbeat,
  linkSubjects,
  ResultsWriter,
} from '../../../../infra/command-link/index.ts';
import type { Workload } from '../workload.ts';
import { flowGroups, START_MS } from './flow-messages.ts';
import { DirectBus, TurnClock } from './turn-clock.ts';

const SUBJECTS = linkSubjects('regress');
const SENDER = 'gateway-http';
const SOURCE = 41;
const BATCHES_PER_WINDOW = 64;
const TIMEOUT_MS = 5_000;
/** Usual size of an order's events. */
const EVENT_BYTES = 120;

export function open(): Workload {
  const { groups, preparing } = flowGroups(BATCHES_PER_WINDOW * 256, SOURCE);
  const orders = groups.slice(preparing);
  const clock = new TurnClock(START_MS);
  const bus = new DirectBus();
  const client = new CommandClient({
    ...COMMAND_CLIENT_DEFAULTS,
    bus,
    clock,
    exchange: 'regress',
    sender: SENDER,
    source: SOURCE,
  });
  let first = 0;
  bus.subscribe(SUBJECTS.commandsFrom(SENDER), (message) => {
    const count = decodeBatch(message)?.records.count ?? 0;
    bus.publish(SUBJECTS.resultsFor(SENDER, SOURCE), resultsOf(first, count));
    first += count;
  });
  bus.publish(SUBJECTS.leader, encodeHeartbeat(HEARTBEAT));
  let answered = 0;
  return {
    windows: Number.MAX_SAFE_INTEGER,
    restart() {},
    run() {
      const before = answered;
      for (const batch of orders) {
        for (const command of batch) {
          client.send({ ...command, ...client.nextId() }, TIMEOUT_MS, ({ kind }) => {
            if (kind === 'answered') answered += 1;
          });
        }
        clock.advance(1);
      }
      if (client.pending > 0) throw new Error(`${client.pending} commands have no result`);
      return answered - before;
    },
  };
}

const EVENTS = new Uint8Array(EVENT_BYTES);

function resultsOf(before: number, count: number): Uint8Array {
  const writer = new ResultsWriter({ results: count, eventBytes: count * EVENT_BYTES });
  for (let at = 1; at <= count; at++) {
    const number = before + at;
    const eventsAt = writer.addEvents(EVENTS);
    const result = { number, command: number, refusal: 'none', order: 0 } as const;
    const events = { isRepeat: false, hasAllEvents: true, eventCount: 2 };
    writer.add({ ...result, ...events }, eventsAt, eventsAt + EVENT_BYTES);
  }
  const frame = { epoch: 1, sequence: 9, timeMs: START_MS };
  return writer.close({ ...frame, commandsApplied: before + count });
}

const HEARTBEAT = {
  instance: 'a',
  writer: 99,
  epoch: 1,
  state: 'leading',
  sequence: 9,
  commandsApplied: 0,
  unacknowledgedMs: 0,
  acknowledgedMs: 0,
  eventsSequence: 9,
  schemaVersion: 2,
  outputDigests: [],
  stateHash: '',
  stateHashSequence: 0,
} as const;
