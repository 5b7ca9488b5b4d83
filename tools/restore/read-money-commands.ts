// Reads the log for everything that the registry must agree with: the money commands and statements
// at their positions, the channel positions, and the highest assigned IDs. The frames come from an
// archive, and those after its end from the log itself.

import type { CommandFrame, EventFrame, Refusal } from '../../core/messages/index.ts';
import { MONEY_CHANNELS } from '../../infra/identities/index.ts';
import {
  type Archive,
  type FolderSnapshots,
  type LogStream,
  openSealedFrame,
} from '../../infra/journal/index.ts';
import { type Applied, type Replica, replay } from '../../infra/replica/index.ts';
import type { ChannelCommand } from '../../platform/outbox/index.ts';
import { ToolFault } from '../command-line.ts';

export interface MoneyCommand {
  readonly command: ChannelCommand;
  readonly frame: number;
  readonly timeMs: number;
  /** Position in the log. */
  readonly number: number;
  readonly refusal: Refusal;
}

export interface LogFacts {
  /** State at the last frame. */
  readonly replica: Replica;
  /** Commands that the caller asked for. */
  readonly commands: readonly MoneyCommand[];
  readonly largest: { readonly user: number; readonly key: number; readonly withdrawal: number };
  /** Last audit entry that the log vouches for. */
  readonly auditSequence: number;
}

export interface LogSource {
  readonly archive: Archive;
  /** If absent, the replay starts with the first frame. */
  readonly snapshots?: FolderSnapshots | undefined;
  /** Last frame. */
  readonly at: number;
  /** Log with the frames after the end of the archive; absent if `at` is not after it. */
  readonly tail?: Pick<LogStream, 'read'> | undefined;
}

export interface ReadOptions extends LogSource {
  /** State to which the frames are applied: before the first frame, or from a snapshot. */
  readonly replica: Replica;
  isWanted(command: ChannelCommand): boolean;
  onFrame(done: number, of: number): void;
}

export async function readMoneyCommands(options: ReadOptions): Promise<LogFacts> {
  const { at, isWanted, onFrame, replica } = options;
  const commands: MoneyCommand[] = [];
  const positions = new Map<number, number>(
    MONEY_CHANNELS.map((channel) => [channel, replica.exchange.channelSequences[channel]]),
  );
  const largest = { user: 0, key: 0, withdrawal: 0 };
  let auditSequence = 0;
  for await (const { events, frame } of replayLog(options)) {
    for (const [index, command] of frame.commands.entries()) {
      if ('key' in command) largest.key = Math.max(largest.key, command.key);
      if (command.kind === 'AnchorAudit') {
        auditSequence = Math.max(auditSequence, command.auditSequence);
      }
      if (!('channelSequence' in command)) continue;
      const { channel, channelSequence } = command;
      if (channelSequence !== (positions.get(channel) ?? Number.NaN) + 1) continue;
      // The engine has reached this position, so the effective copy is in this frame.
      if (replica.exchange.channelSequences[channel] < channelSequence) continue;
      positions.set(channel, channelSequence);
      if (command.kind === 'OpenWithdrawal') {
        largest.withdrawal = Math.max(largest.withdrawal, command.withdrawal);
      }
      if (isWanted(command)) commands.push(outcomeOf(command, index, frame, events));
    }
    onFrame(replica.sequence, at);
  }
  const { users } = replica.exchange;
  for (let slot = 1; slot <= users.size; slot++) {
    largest.user = Math.max(largest.user, users.id(slot));
  }
  return { replica, commands, largest, auditSequence };
}

async function* replayLog({
  archive,
  at,
  replica,
  tail,
}: ReadOptions): AsyncGenerator<Applied, void> {
  yield* replay(archive, replica, tail === undefined ? at : Math.min(at, archive.end.sequence));
  for (let next = replica.sequence + 1; tail !== undefined && next <= at; next++) {
    const message = await new Promise<Uint8Array | undefined>((done) => tail.read(next, done));
    const sealed = message && openSealedFrame(message);
    if (sealed === undefined) throw new ToolFault(`COMMANDS: frame ${next} cannot be read.`);
    yield replica.follow(sealed);
  }
}

function outcomeOf(
  command: ChannelCommand,
  index: number,
  { sequence: frame }: CommandFrame,
  { events, firstCommand, timeMs }: EventFrame,
): MoneyCommand {
  const number = firstCommand + index;
  let refusal: Refusal = 'none';
  for (const event of events) {
    if (event.kind === 'CommandRefused' && event.command === number) refusal = event.refusal;
    if (event.kind === 'CommandPoisoned' && event.command === number) {
      refusal = 'command_is_poisoned';
    }
  }
  return { command, frame, timeMs, number, refusal };
}
