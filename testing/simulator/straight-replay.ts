// Replay of the COMMANDS log for judge.ts: every frame from the first, through a new engine,
// without the sequencer's code. Its outcomes, events and hashes are the reference.

import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import type { Exchange } from '../../core/engine/index.ts';
import {
  appendEvent,
  type CommandFrame,
  type CommandId,
  decodeCommandFrame,
  type Event,
  type EventFrame,
  type EventFrameHeader,
  encodeEventFrame,
  FRAME_HASH_BYTES,
  FrameWriter,
  type Limits,
  openEventFrame,
  type Refusal,
  RULES_VERSION_MAX,
  type TradeExecuted,
} from '../../core/messages/index.ts';
import type { CommandNumber, TimeMs } from '../../core/money/index.ts';
import { differenceOfFrames } from '../properties/difference.ts';
import { createReferenceExchange } from '../reference-models/index.ts';
import { PRESENT, type Release } from './releases.ts';

/** History of one command ID in the log. */
export interface CommandHistory {
  /** Number of its first application. */
  readonly command: number;
  readonly refusal: Refusal;
  /** Number of occurrences in the log. */
  copies: number;
  /** Number of times it was applied; more than one is a violation. */
  applications: number;
}

/** Hashes after a frame, in hexadecimal as in snapshots. */
export interface Milestone {
  readonly epoch: number;
  readonly timeMs: number;
  readonly commandsApplied: number;
  readonly frameHash: string;
  readonly stateHash: string;
}

export class ChainBroken extends Error {
  override readonly name = 'ChainBroken';
}

/** Scratch frame from which encoded records are cut. */
const NO_FRAME: EventFrameHeader = {
  sequence: 1,
  timeMs: 0 as TimeMs,
  firstCommand: 1 as CommandNumber,
};

export class StraightReplay {
  readonly exchange: Exchange;
  readonly histories = new Map<string, CommandHistory>();
  /** Bytes of every event frame; index 0 is frame 1. */
  readonly eventFrames: Uint8Array[] = [];
  /** Switches that fired, with the time of their frame. */
  readonly fired: { readonly user: number; readonly timeMs: number }[] = [];
  /** Trades under the rules of a later release. */
  readonly laterTrades: TradeExecuted[] = [];
  readonly #engine: Release['engine'];
  readonly #caused = new Map<number, Event[]>();
  readonly #stateHashAt: ReadonlySet<number>;
  readonly #milestones: Milestone[] = [];
  readonly #writer = new FrameWriter();
  readonly #reference = createReferenceExchange();
  #frameHash: Uint8Array = new Uint8Array(FRAME_HASH_BYTES);
  #epoch = 0;

  /** State hashes are expensive, so they are taken after these frames only. */
  constructor(limits: Limits, stateHashAt: ReadonlySet<number>, { engine } = PRESENT) {
    this.#engine = engine;
    this.exchange = engine.createExchange(limits);
    this.#stateHashAt = stateHashAt;
  }

  /** Returns undefined if the frame is not in the log. */
  milestone(sequence: number): Milestone | undefined {
    return this.#milestones[sequence - 1];
  }

  get last(): number {
    return this.#milestones.length;
  }

  /** Returns the command's events, as the records of an event frame. */
  eventBytesOf(command: number): Uint8Array {
    const writer = this.#writer;
    openEventFrame(writer, NO_FRAME);
    const from = writer.at;
    for (const event of this.#caused.get(command) ?? []) appendEvent(writer, event);
    return writer.written().subarray(from);
  }

  /** Applies a log message, which is the frame and its hash. */
  apply(message: Uint8Array): void {
    const bytes = message.subarray(0, message.length - FRAME_HASH_BYTES);
    const frameHash = createHash('sha256').update(bytes).digest();
    if (Buffer.compare(frameHash, message.subarray(bytes.length)) !== 0) {
      throw new ChainBroken(`message ${this.last + 1} is stored torn`);
    }
    const frame = decodeCommandFrame(bytes);
    this.#checkChain(frame);
    let isLater = this.exchange.rulesVersion > RULES_VERSION_MAX;
    const seen = this.#engine.applyFrame(this.exchange, frame);
    // The reference does not implement later rules, which can begin in the middle of a frame.
    if (this.exchange.rulesVersion <= RULES_VERSION_MAX) this.#compareWithRules(frame, seen);
    for (const event of seen.events) {
      if (event.kind === 'RulesVersionSet') isLater = event.version > RULES_VERSION_MAX;
      else if (event.kind === 'DeadManSwitchFired') {
        this.fired.push({ user: event.user, timeMs: frame.timeMs });
      } else if (event.kind === 'TradeExecuted' && isLater) this.laterTrades.push(event);
    }
    const eventBytes = new Uint8Array(encodeEventFrame(this.#writer, seen));
    this.eventFrames.push(eventBytes);
    this.#epoch = frame.epoch;
    this.#frameHash = frameHash;
    this.#readFates(frame, seen);
    const hasStateHash = this.#stateHashAt.has(frame.sequence);
    this.#milestones.push({
      epoch: this.#epoch,
      timeMs: frame.timeMs,
      commandsApplied: this.exchange.commandsApplied,
      frameHash: hexadecimal(this.#frameHash),
      stateHash: hasStateHash ? this.#engine.hashExchange(this.exchange) : 'not taken',
    });
  }

  /** The reference model implements the trading rules as a program. */
  #compareWithRules(frame: CommandFrame, seen: EventFrame): void {
    const expected = this.#reference.apply(frame, new Set(frame.poisoned));
    const difference = differenceOfFrames(seen, expected);
    if (difference === undefined) return;
    throw new Error(`frame ${frame.sequence} breaks the trading rules: ${inspect(difference)}`);
  }

  #checkChain({ sequence, previousHash, epoch }: CommandFrame): void {
    if (sequence !== this.last + 1) {
      throw new ChainBroken(`message ${this.last + 1} holds frame ${sequence}`);
    }
    if (Buffer.compare(previousHash, this.#frameHash) !== 0) {
      throw new ChainBroken(`frame ${sequence} does not continue the previous frame`);
    }
    if (epoch < this.#epoch) {
      throw new ChainBroken(`frame ${sequence} goes back from epoch ${this.#epoch} to ${epoch}`);
    }
  }

  #readFates({ commands }: CommandFrame, { firstCommand, events }: EventFrame): void {
    const refusals = new Map<number, Refusal>();
    const repeated = new Set<number>();
    for (const event of events) {
      const caused = this.#caused.get(event.command);
      if (caused === undefined) this.#caused.set(event.command, [event]);
      else caused.push(event);
      if (event.kind === 'CommandRefused') refusals.set(event.command, event.refusal);
      if (event.kind === 'CommandPoisoned') refusals.set(event.command, 'command_is_poisoned');
      if (event.kind === 'CommandRepeated') repeated.add(event.command);
    }
    for (const [index, id] of commands.entries()) {
      const command = firstCommand + index;
      const isApplied = !repeated.has(command);
      const history = this.histories.get(nameOf(id));
      if (history === undefined) {
        const refusal = refusals.get(command) ?? 'none';
        const applications = isApplied ? 1 : 0;
        this.histories.set(nameOf(id), { command, refusal, copies: 1, applications });
      } else {
        history.copies += 1;
        if (isApplied) history.applications += 1;
      }
    }
  }
}

export function nameOf({ source, number }: CommandId): string {
  return `${source}:${number}`;
}

function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
