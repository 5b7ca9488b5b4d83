// Applies the core benchmark's flow and writes it into both logs without a sequencer: a long log of
// ordinary frames, quickly.

import type { Command } from '../../../core/messages/index.ts';
import type { Nats } from '../../../infra/bus/index.ts';
import { JetStreamLog, journalNames } from '../../../infra/journal/index.ts';
import { LogAuthor } from '../cold-start/log-author.ts';
import { LIMITS } from '../core/flow.ts';
import { flowCommands } from '../journal/flow-commands.ts';

const FRAME_COMMANDS = 100;
const FROM_MS = Date.parse('2026-03-02T08:00:00Z');
const FRAME_MS = 5;
const SEED = 20_260_101;

export interface WrittenFlow {
  readonly messages: number;
  readonly timeMs: number;
}

export async function writeFlow(options: {
  readonly nats: Nats;
  readonly exchange: string;
  readonly commands: number;
}): Promise<WrittenFlow> {
  const { commands: count, exchange, nats } = options;
  const names = journalNames(exchange);
  const commands = new JetStreamLog({ nats, ...names.commands });
  const events = new JetStreamLog({ nats, ...names.events });
  const author = new LogAuthor({ commands, events, fromMs: FROM_MS });
  const { measured, preparing } = flowCommands(count, SEED);
  const genesis = { kind: 'SetLimits', source: 9, number: 1, ...LIMITS } as const;
  const all: Command[] = [genesis, ...preparing, ...measured];
  for (let from = 0; from < all.length; from += FRAME_COMMANDS) {
    await author.frame(all.slice(from, from + FRAME_COMMANDS), FRAME_MS);
  }
  await author.finish();
  const messages = await new Promise<number>((done, fail) => {
    events.extent((extent) => {
      if (extent === undefined) fail(new Error('EVENTS does not say how long it is'));
      else done(extent.last);
    });
  });
  commands.stop();
  events.stop();
  const timeMs = FROM_MS + Math.ceil(all.length / FRAME_COMMANDS) * FRAME_MS;
  return { messages, timeMs };
}
