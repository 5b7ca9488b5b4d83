// EVENTS log on a real NATS server: filled with given messages, and read back as frames.

import { decodeEventFrame, type Event, type EventFrame } from '../../../core/messages/index.ts';
import type { Nats } from '../../../infra/bus/index.ts';
import {
  decodeEventBatch,
  JetStreamLog,
  journalNames,
  LogReader,
} from '../../../infra/journal/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { createLogOnce } from '../../create-log/create-log.ts';

const UNDER_WAY_MAX = 200;

export async function eventsLog(nats: Nats, exchange: string): Promise<JetStreamLog> {
  await createLogOnce(nats, { exchange });
  return new JetStreamLog({ nats, ...journalNames(exchange).events });
}

/** Appends to the end; there is no other writer. */
export async function appendEvents(
  log: JetStreamLog,
  messages: readonly Uint8Array[],
  last = 0,
): Promise<void> {
  for (let from = 0; from < messages.length; from += UNDER_WAY_MAX) {
    const some = messages.slice(from, from + UNDER_WAY_MAX);
    await Promise.all(some.map((message, at) => append(log, last + from + at + 1, message)));
  }
}

function append(log: JetStreamLog, sequence: number, message: Uint8Array): Promise<void> {
  return new Promise((done, fail) => {
    log.append(sequence, message, (outcome) => {
      if (outcome === 'stored') done();
      else fail(new Error(`message ${sequence}: ${outcome}`));
    });
  });
}

/** Reads everything up to and including this message, and joins the parts of a frame. */
export function readEvents(log: JetStreamLog, last: number): Promise<EventFrame[]> {
  const frames: EventFrame[] = [];
  return new Promise((done, fail) => {
    const reader = new LogReader({
      log,
      clock: systemClock,
      from: 1,
      retryMs: 50,
      watchMs: 500,
      open: decodeEventBatch,
      receive({ parts }, sequence) {
        for (const { bytes, part } of parts) {
          const frame = decodeEventFrame(bytes);
          if (part === 0) frames.push(frame);
          else (frames[frames.length - 1].events as Event[]).push(...frame.events);
        }
        if (sequence < last) return;
        reader.stop();
        done(frames);
      },
      onLost: (reason) => fail(new Error(reason)),
    });
  });
}
