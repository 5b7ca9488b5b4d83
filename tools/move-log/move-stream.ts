// Moves one log stream to a new one with the same name and the same sequence numbers, while its
// writer and readers run. They see a log outage, and then a trimmed log.

import { setTimeout as delay } from 'node:timers/promises';
import type { Nats } from '../../infra/bus/index.ts';
import { type AppendOutcome, JetStreamLog, streamConfig } from '../../infra/journal/index.ts';
import { ToolFault } from '../command-line.ts';

export interface MovedStream {
  readonly nats: Nats;
  readonly stream: string;
  readonly subject: string;
  readonly replicas: number;
  print(line: string): void;
}

interface StreamInfo {
  readonly config: Readonly<Record<string, unknown>> & { readonly subjects?: readonly string[] };
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

const REQUEST_TIMEOUT_MS = 5_000;
const POLL_MS = 100;
/** The end of a closed stream counts when it has not changed for this many polls. */
const STEADY_POLLS = 5;
const AT_ONCE = 64;
const STREAM_NOT_FOUND = 10_059;

/** Returns true if the stream is from an earlier release, or its move has begun. */
export async function mustMove(moved: MovedStream): Promise<boolean> {
  const [old, mirror] = [await infoOf(moved, moved.stream), await mirrorOf(moved)];
  if (old === undefined && mirror === undefined) {
    throw new ToolFault(`${moved.stream} does not exist.`);
  }
  return mirror !== undefined || old?.config.deny_purge === true;
}

/** Starts the mirror at this message. Returns false if a move that has begun has one. */
export async function startMirror(moved: MovedStream, from: number): Promise<boolean> {
  if ((await mirrorOf(moved)) !== undefined) return false;
  const { replicas, stream, subject } = moved;
  const name = mirrorName(moved);
  const { subjects: _, ...config } = streamConfig({ name, subject, replicas }) as {
    readonly subjects: unknown;
  };
  const mirror = { name: stream, opt_start_seq: from };
  await request(moved, `STREAM.CREATE.${name}`, { ...config, mirror });
  await untilMirrored(moved, 1);
  return true;
}

/**
 * Each step reads the servers' state and executes the next action, so an interrupted move can be
 * repeated.
 * copying: a mirror follows the old stream, starting with the first message to keep.
 * closing: the old stream loses its subject. Nothing can be appended; the mirror gets the rest.
 * filling: the old stream is deleted. A new one gets the mirror's messages, on a subject
 *          that no writer uses.
 * opening: the new stream gets the log's subject, and the mirror is deleted.
 * Returns the last message of the old stream; the next one is the first to go to the new stream.
 */
export async function finishMove(moved: MovedStream): Promise<number> {
  const { print, stream, subject } = moved;
  for (;;) {
    const mirror = await mirrorOf(moved);
    if (mirror === undefined) throw new ToolFault(`${stream} has no copy to move from.`);
    const found = await infoOf(moved, stream);
    const [own] = found?.config.subjects ?? [];
    if (found === undefined) await createNew(moved, mirror);
    else if (own === closedSubject(moved)) await deleteOld(moved);
    else if (own === fillingSubject(moved)) await fillAndOpen(moved, found, mirror);
    else if (found.config.deny_purge === true) {
      await untilMirrored(moved, 1);
      await request(moved, `STREAM.UPDATE.${stream}`, {
        ...found.config,
        subjects: [closedSubject(moved)],
      });
      print(`${stream} is closed`);
    } else if (found.last >= mirror.last) {
      await request(moved, `STREAM.DELETE.${mirrorName(moved)}`, {});
      print(`${stream} accepts ${subject} again`);
      return Number(handOverOf(found));
    } else {
      await deleteStray(moved, found);
    }
  }
}

const mirrorName = ({ stream }: MovedStream) => `${stream}_MOVING`;
const closedSubject = ({ subject }: MovedStream) => `${subject}.closed`;
const fillingSubject = ({ subject }: MovedStream) => `${subject}.filling`;

/** The handover position is stored with the new stream. */
const HAND_OVER = 'rialto.moved.after';

function handOverOf({ config }: StreamInfo): string | undefined {
  return (config.metadata as Record<string, string> | undefined)?.[HAND_OVER];
}

/** An append in flight when the stream was closed still counts. */
async function deleteOld(moved: MovedStream): Promise<void> {
  const last = await untilMirrored(moved, STEADY_POLLS);
  await request(moved, `STREAM.DELETE.${moved.stream}`, {});
  moved.print(`${moved.stream} ended with message ${last}`);
}

async function createNew(moved: MovedStream, mirror: StreamInfo): Promise<void> {
  const { replicas, stream: name } = moved;
  const firstSequence = mirror.first;
  const config = streamConfig({ name, subject: fillingSubject(moved), replicas, firstSequence });
  const metadata = { [HAND_OVER]: String(mirror.last) };
  await request(moved, `STREAM.CREATE.${name}`, { ...config, metadata });
}

async function fillAndOpen(moved: MovedStream, made: StreamInfo, mirror: StreamInfo) {
  const { nats, stream, subject } = moved;
  const source = new JetStreamLog({ nats, stream: mirrorName(moved), subject });
  const target = new JetStreamLog({ nats, stream, subject: fillingSubject(moved) });
  try {
    for (let next = made.last + 1; next <= mirror.last; next += AT_ONCE) {
      const count = Math.min(AT_ONCE, mirror.last + 1 - next);
      await copyMessages(source, target, next, count);
    }
  } finally {
    source.stop();
    target.stop();
  }
  await request(moved, `STREAM.UPDATE.${stream}`, { ...made.config, subjects: [subject] });
  moved.print(`${stream} holds messages ${mirror.first} to ${mirror.last}`);
}

async function copyMessages(
  source: JetStreamLog,
  target: JetStreamLog,
  first: number,
  count: number,
): Promise<void> {
  const sequences = Array.from({ length: count }, (_, at) => first + at);
  const messages = await Promise.all(
    sequences.map((at) => new Promise<Uint8Array | undefined>((done) => source.read(at, done))),
  );
  const appends = sequences.map((sequence, at) => {
    const message = messages[at];
    if (message === undefined)
      throw new ToolFault('The copy did not respond. Run the command again.');
    return new Promise<AppendOutcome>((done) => target.append(sequence, message, done));
  });
  const outcomes = await Promise.all(appends);
  if (outcomes.some((outcome) => outcome !== 'stored')) {
    throw new ToolFault('The new stream did not store a message. Run the command again.');
  }
}

/** A process that started in between has created an empty stream. */
async function deleteStray(moved: MovedStream, { count }: StreamInfo): Promise<void> {
  const { stream } = moved;
  if (count > 0) throw new ToolFault(`${stream} was written by another process during its move.`);
  await request(moved, `STREAM.DELETE.${stream}`, {});
}

/**
 * Waits until the mirror has the end of the stream, unchanged for this many polls, and returns it.
 */
async function untilMirrored(moved: MovedStream, steadyPolls: number): Promise<number> {
  let [before, polls] = [-1, 0];
  for (;;) {
    const [old, mirror] = [await infoOf(moved, moved.stream), await mirrorOf(moved)];
    const last = old?.last ?? 0;
    // While the stream is written, the mirror is always a little behind.
    const isCopied =
      steadyPolls > 1 ? mirror?.last === last : (mirror?.last ?? 0) >= last - AT_ONCE;
    polls = isCopied && (last === before || steadyPolls === 1) ? polls + 1 : 0;
    if (polls >= steadyPolls && (mirror?.count ?? 0) > 0) return last;
    before = last;
    await delay(POLL_MS);
  }
}

function mirrorOf(moved: MovedStream): Promise<StreamInfo | undefined> {
  return infoOf(moved, mirrorName(moved));
}

/** Returns undefined if there is no such stream. */
async function infoOf(moved: MovedStream, name: string): Promise<StreamInfo | undefined> {
  const answer = await request(moved, `STREAM.INFO.${name}`, {}, STREAM_NOT_FOUND);
  if (answer === undefined) return undefined;
  const { config, state } = answer as {
    readonly config: StreamInfo['config'];
    readonly state: { first_seq: number; last_seq: number; messages: number };
  };
  return { config, first: state.first_seq, last: state.last_seq, count: state.messages };
}

/** Returns undefined if the server responds with the expected error. */
async function request(
  { nats }: MovedStream,
  api: string,
  body: object,
  expectedError = 0,
): Promise<unknown> {
  const options = { timeout: REQUEST_TIMEOUT_MS };
  const answer = await nats.client.request(`$JS.API.${api}`, JSON.stringify(body), options);
  const { error, ...result } = answer.json<{
    error?: { err_code?: number; description?: string };
  }>();
  if (error === undefined) return result;
  if (error.err_code === expectedError) return undefined;
  throw new ToolFault(`${api}: ${error.description}. Nothing is lost; run the command again.`);
}
