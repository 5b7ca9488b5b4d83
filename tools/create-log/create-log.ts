// Creates the log of a new exchange: its streams, the first frame and the name. Every exchange
// begins here, including those for tests and sandboxes: services never create a log. Must never
// touch a log that has frames.

import { randomInt } from 'node:crypto';
import { connectNats, type Nats } from '../../infra/bus/index.ts';
import {
  type AppendOutcome,
  createStreams,
  type Extent,
  exchangeIdOf,
  findName,
  hashFrame,
  JetStreamLog,
  journalNames,
  type LogStream,
  nameLog,
  openSealedFrame,
  sealFrame,
} from '../../infra/journal/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { genesisFrame } from '../../services/sequencer/index.ts';
import { ToolFault } from '../command-line.ts';

export type CreateLogOptions = Parameters<typeof createStreams>[1];

/** Largest range that randomInt supports. */
const WRITERS = 2 ** 48 - 1;

/** Returns the exchange ID. An interrupted call can be repeated. */
export async function createLog(nats: Nats, options: CreateLogOptions): Promise<string> {
  const name = await findName(nats, options);
  if (name !== undefined) throw new ToolFault(`The log of exchange ${name} already exists.`);
  await createStreams(nats, options);
  const log = new JetStreamLog({ nats, ...journalNames(options.exchange).commands });
  try {
    const exchangeId = await firstFrame(log);
    await nameLog(nats, { ...options, exchangeId });
    return exchangeId;
  } finally {
    log.stop();
  }
}

interface DevelopmentLog {
  readonly exchange?: string;
  readonly replicas?: number;
}

/** Options of a log for development, tests and benches. */
export function inDevelopment(log: DevelopmentLog = {}): CreateLogOptions {
  const { exchange = 'rialto', replicas = 1 } = log;
  return { exchange, mode: 'development', replicas, monitorUrls: [] };
}

/** Creates the log for a sandbox, a test or a bench, unless the servers have it. */
export async function createLogOnce(nats: Nats, log?: DevelopmentLog): Promise<void> {
  const options = inDevelopment(log);
  if ((await findName(nats, options)) === undefined) await createLog(nats, options);
}

/** Does the same on a separate connection. */
export async function createLogAt(urls: readonly string[], log?: DevelopmentLog): Promise<void> {
  const nats = await connectNats({ urls, name: 'create-log' });
  try {
    await createLogOnce(nats, log);
  } finally {
    await nats.close();
  }
}

/** Names a log that was written without this tool, by its first frame. */
export async function nameWrittenLog(nats: Nats, options: CreateLogOptions): Promise<string> {
  const log = new JetStreamLog({ nats, ...journalNames(options.exchange).commands });
  try {
    const exchangeId = idOf(await read(log));
    await nameLog(nats, { ...options, exchangeId });
    return exchangeId;
  } finally {
    log.stop();
  }
}

/** Returns the frame of an interrupted call, or a new one. */
async function firstFrame(log: LogStream): Promise<string> {
  const extent = await new Promise<Extent | undefined>((done) => log.extent(done));
  if (extent === undefined) throw new ToolFault('COMMANDS is not responding.');
  if (extent.last > 1) {
    throw new ToolFault(
      `COMMANDS has ${extent.last} frames and no name. ` +
        'Name it with --existing, or complete the restore that wrote it.',
    );
  }
  if (extent.last === 1) return idOf(await read(log));
  const frame = genesisFrame({ timeMs: systemClock.nowMs(), writer: randomInt(1, WRITERS) });
  const outcome = await new Promise<AppendOutcome>((done) =>
    log.append(1, sealFrame(frame, hashFrame(frame)), done),
  );
  if (outcome !== 'stored') throw new ToolFault('COMMANDS did not confirm. Run the command again.');
  return exchangeIdOf(frame);
}

function read(log: LogStream): Promise<Uint8Array | undefined> {
  return new Promise((done) => log.read(1, done));
}

function idOf(message: Uint8Array | undefined): string {
  const sealed = message && openSealedFrame(message);
  if (sealed !== undefined) return exchangeIdOf(sealed.frame);
  throw new ToolFault('COMMANDS no longer has frame 1. Pass --archive.');
}
