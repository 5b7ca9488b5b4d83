// Reads all frames of an exchange's COMMANDS log back from the servers.

import { decodeCommandFrame } from '../../../core/messages/index.ts';
import type { Nats } from '../../../infra/bus/index.ts';
import { JetStreamLog, journalNames, openSealedFrame } from '../../../infra/journal/index.ts';

export interface StoredFrame {
  /** Sealed message, as in the log. */
  readonly message: Uint8Array;
  readonly frame: Uint8Array;
  readonly commands: number;
}

export async function readFrames(nats: Nats, exchange: string): Promise<StoredFrame[]> {
  const log = new JetStreamLog({ nats, ...journalNames(exchange).commands });
  const last = await new Promise<number>((done, fail) => {
    log.extent((extent) => {
      if (extent === undefined) fail(new Error('the log does not answer'));
      else done(extent.last);
    });
  });
  const frames: StoredFrame[] = [];
  if (last === 0) return frames;
  await new Promise<void>((done, fail) => {
    const following = log.follow(1, (sequence, bytes) => {
      const message = new Uint8Array(bytes);
      const frame = openSealedFrame(message)?.frame;
      if (frame === undefined || sequence !== frames.length + 1) {
        fail(new Error(`message ${sequence} is not whole or not in order`));
        return;
      }
      frames.push({ message, frame, commands: decodeCommandFrame(frame).commands.length });
      if (sequence !== last) return;
      following.stop();
      done();
    });
  });
  log.stop();
  return frames;
}
