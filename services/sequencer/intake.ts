// Checks incoming batches and queues them for the next frame. The queue is bounded: a batch without
// room is refused and must never be dropped silently. A refused batch is never applied. One command
// that its sender is not allowed to send refuses its entire batch.

import {
  appendCommand,
  CodecFault,
  type Command,
  decodeCommandRecords,
  FrameWriter,
  type Records,
  RULES_VERSION_MAX,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';
import type { Batch, BatchRefusal } from '../../infra/command-link/index.ts';
import type { CommandAuthority } from '../../infra/identities/index.ts';
import type { ForbiddenCommand } from './watcher.ts';

/** A batch, and the identity that sent it. */
export interface SentBatch extends Batch {
  readonly sender: string;
}

export interface QueuedBatch {
  readonly sender: string;
  readonly source: number;
  readonly commands: readonly Command[];
  /** The same commands, encoded as in the frame. */
  readonly records: Records;
  readonly queuedAtMs: number;
}

export interface IntakeLimits {
  /** Limits on queued commands and bytes. */
  readonly waitingCommandsMax: number;
  readonly waitingBytesMax: number;
  /**
   * New batches are refused while the oldest has been queued for longer than this. Shorter than the
   * gateways' resend timeout: at overload the refusal is guaranteed, and a resend would only add
   * work.
   */
  readonly waitingMsMax: number;
  readonly frameCommandsMax: number;
  readonly frameBytesMax: number;
}

export const INTAKE_DEFAULTS: IntakeLimits = {
  waitingCommandsMax: 65_536,
  waitingBytesMax: 32 * 1024 * 1024,
  waitingMsMax: 500,
  frameCommandsMax: 2_048,
  frameBytesMax: 1024 * 1024,
};

/** End of the log, and the commands that the engine still recognizes. */
export interface Memory {
  readonly commandsApplied: number;
  readonly commandWindow: number;
  /** The engine remembers every command after this one, and none up to it. */
  readonly forgottenThrough: number;
  readonly nowMs: number;
  /** Returns the batches in frames that the log has not acknowledged. */
  inFlight(): readonly QueuedBatch[];
}

/** Limit on sessions with a remembered highest number; see #withoutCopies. */
const SOURCES_MAX = 65_536;

export class Intake {
  readonly #limits: IntakeLimits;
  #queue: QueuedBatch[] = [];
  #commands = 0;
  #bytes = 0;
  /** Highest number of a queued command, by source. */
  readonly #highest = new Map<number, number>();
  readonly #authority: CommandAuthority;
  readonly #onForbidden: (forbidden: ForbiddenCommand) => void;

  constructor(
    limits: IntakeLimits,
    authority: CommandAuthority,
    onForbidden: (forbidden: ForbiddenCommand) => void,
  ) {
    this.#limits = limits;
    this.#authority = authority;
    this.#onForbidden = onForbidden;
  }

  /** Number of commands in the queue. */
  get waiting(): number {
    return this.#commands;
  }

  /** Queues the batch, or returns why it is refused. */
  offer(batch: SentBatch, memory: Memory): BatchRefusal | undefined {
    const { count, bytes } = batch.records;
    const { frameBytesMax, frameCommandsMax, waitingBytesMax, waitingCommandsMax } = this.#limits;
    if (count === 0 || count > frameCommandsMax || bytes.length > frameBytesMax) return 'malformed';
    if (this.#commands + count > waitingCommandsMax) return 'busy';
    if (this.#bytes + bytes.length > waitingBytesMax) return 'busy';
    const oldestMs = this.#queue.at(0)?.queuedAtMs ?? memory.nowMs;
    if (memory.nowMs - oldestMs > this.#limits.waitingMsMax) return 'busy';
    // The last command in the batch will get this number. If an earlier copy of any command was
    // applied, that was after the floor, so up to this number the engine still remembers it.
    const last = memory.commandsApplied + this.#commands + count;
    if (last > batch.floor + memory.commandWindow) return 'too_old';
    // A window that was widened has not been that wide since the floor.
    if (batch.floor < memory.forgottenThrough) return 'too_old';
    const opened = open(batch, memory.nowMs);
    if (opened === undefined) return 'malformed';
    if (!this.#isPermitted(opened)) return 'not_permitted';
    const queued = this.#withoutCopies(opened, memory);
    if (queued.commands.length === 0) return undefined;
    this.#queue.push(queued);
    this.#commands += queued.commands.length;
    this.#bytes += queued.records.bytes.length;
    return undefined;
  }

  /**
   * Drops commands that this leader is already processing: their response is in progress, and the
   * log need not store them twice. A new command has a higher number than all earlier ones from its
   * source.
   */
  #withoutCopies(batch: QueuedBatch, memory: Memory): QueuedBatch {
    const { commands, source } = batch;
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    for (const { number } of commands) {
      if (number < least) least = number;
      if (number > most) most = number;
    }
    const highest = this.#highest.get(source) ?? 0;
    if (this.#highest.size >= SOURCES_MAX) this.#highest.clear();
    if (most > highest) this.#highest.set(source, most);
    if (least > highest) return batch;
    const inWork = new Set<number>();
    for (const other of [...this.#queue, ...memory.inFlight()]) {
      if (other.source !== source) continue;
      for (const { number } of other.commands) inWork.add(number);
    }
    const rest = commands.filter(({ number }) => !inWork.has(number));
    if (rest.length === commands.length) return batch;
    return { ...batch, commands: rest, records: { bytes: encodeAgain(rest), count: rest.length } };
  }

  #isPermitted({ commands, sender }: QueuedBatch): boolean {
    const mayItSend = this.#authority(sender);
    for (const command of commands) {
      if (mayItSend(command) && isRunnable(command)) continue;
      this.#onForbidden({ sender, kind: command.kind });
      return false;
    }
    return true;
  }

  /** Puts batches that did not fit into their frame at the front of the queue. */
  putBack(batches: readonly QueuedBatch[]): void {
    this.#queue = [...batches, ...this.#queue];
    for (const { records } of batches) {
      this.#commands += records.count;
      this.#bytes += records.bytes.length;
    }
  }

  /** Takes complete batches in order of arrival, as many as fit into a frame. */
  take(): QueuedBatch[] {
    const { frameBytesMax, frameCommandsMax } = this.#limits;
    let count = 0;
    let commands = 0;
    let bytes = 0;
    for (const { records } of this.#queue) {
      const fits =
        commands + records.count <= frameCommandsMax &&
        bytes + records.bytes.length <= frameBytesMax;
      if (!fits && count > 0) break;
      commands += records.count;
      bytes += records.bytes.length;
      count++;
    }
    const taken = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    this.#commands -= commands;
    this.#bytes -= bytes;
    return taken;
  }
}

/**
 * A leader must never log rules that it cannot run, so no other release has to follow a mistake.
 */
function isRunnable(command: Command): boolean {
  return command.kind !== 'SetRulesVersion' || command.version <= RULES_VERSION_MAX;
}

/** Returns undefined if the records are not commands from that source. */
function open(batch: SentBatch, queuedAtMs: number): QueuedBatch | undefined {
  const { records, schemaVersion, sender, source } = batch;
  let commands: Command[];
  try {
    commands = decodeCommandRecords(records, schemaVersion);
  } catch (fault) {
    if (fault instanceof CodecFault) return undefined;
    throw fault;
  }
  // Source 0 is the leader's own, and nothing subscribes to its results.
  if (source === 0 || commands.some((command) => command.source !== source)) return undefined;
  // Re-encodes commands from a gateway of an earlier release in the current schema.
  const isPresent = schemaVersion === SCHEMA_VERSION;
  const bytes = isPresent ? new Uint8Array(records.bytes) : encodeAgain(commands);
  return { sender, source, commands, records: { bytes, count: records.count }, queuedAtMs };
}

function encodeAgain(commands: readonly Command[]): Uint8Array {
  const writer = new FrameWriter();
  for (const command of commands) appendCommand(writer, command);
  return writer.written();
}
