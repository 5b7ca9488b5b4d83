// The intake: batches come in, are checked, and wait in order for the next frame. It is bounded; a
// batch that has no place is refused, never dropped. What it refuses will not be applied.

import {
  appendCommand,
  CodecFault,
  type Command,
  decodeCommandRecords,
  FrameWriter,
  type Records,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';
import type { Batch, DoorRefusal } from '../../infra/command-link/index.ts';

export interface QueuedBatch {
  readonly source: number;
  readonly commands: readonly Command[];
  /** The same commands as they will stand in the frame. */
  readonly records: Records;
}

export interface IntakeLimits {
  /** Commands and bytes that may wait for a frame. */
  readonly waitingCommandsMax: number;
  readonly waitingBytesMax: number;
  readonly frameCommandsMax: number;
  readonly frameBytesMax: number;
}

export const INTAKE_DEFAULTS: IntakeLimits = {
  waitingCommandsMax: 65_536,
  waitingBytesMax: 32 * 1024 * 1024,
  frameCommandsMax: 2_048,
  frameBytesMax: 1024 * 1024,
};

/** Where the log will be when all that waits is applied, and how far back it remembers. */
export interface Memory {
  readonly commandsApplied: number;
  readonly commandWindow: number;
}

export class Intake {
  readonly #limits: IntakeLimits;
  #queue: QueuedBatch[] = [];
  #commands = 0;
  #bytes = 0;

  constructor(limits: IntakeLimits) {
    this.#limits = limits;
  }

  /** Commands that wait. */
  get waiting(): number {
    return this.#commands;
  }

  /** Says why the batch is not taken, or takes it. */
  offer(batch: Batch, memory: Memory): DoorRefusal | undefined {
    const { count, bytes } = batch.records;
    const { frameBytesMax, frameCommandsMax, waitingBytesMax, waitingCommandsMax } = this.#limits;
    if (count === 0 || count > frameCommandsMax || bytes.length > frameBytesMax) return 'malformed';
    if (this.#commands + count > waitingCommandsMax) return 'busy';
    if (this.#bytes + bytes.length > waitingBytesMax) return 'busy';
    // The last command of the batch will have this number. If an earlier copy of any of them was
    // applied, it came after the floor, so up to here the engine still remembers it.
    const last = memory.commandsApplied + this.#commands + count;
    if (last > batch.floor + memory.commandWindow) return 'too_old';
    const queued = open(batch);
    if (queued === undefined) return 'malformed';
    this.#queue.push(queued);
    this.#commands += count;
    this.#bytes += queued.records.bytes.length;
    return undefined;
  }

  /** Whole batches in the order they came, as many as fit into a frame. */
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

/** Undefined when they are not commands of that source. */
function open({ records, schemaVersion, source }: Batch): QueuedBatch | undefined {
  let commands: Command[];
  try {
    commands = decodeCommandRecords(records, schemaVersion);
  } catch (fault) {
    if (fault instanceof CodecFault) return undefined;
    throw fault;
  }
  // Source 0 is the leader's own: nobody is told what came of its commands.
  if (source === 0 || commands.some((command) => command.source !== source)) return undefined;
  // A gateway of an earlier release: its commands get the present form.
  const isPresent = schemaVersion === SCHEMA_VERSION;
  const bytes = isPresent ? new Uint8Array(records.bytes) : encodeAgain(commands);
  return { source, commands, records: { bytes, count: records.count } };
}

function encodeAgain(commands: readonly Command[]): Uint8Array {
  const writer = new FrameWriter();
  for (const command of commands) appendCommand(writer, command);
  return writer.written();
}
