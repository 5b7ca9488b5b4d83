// The sender behind a flow: numbers commands, tracks the channels' sequences, puts commands into
// frames and reads the returned events. It sees nothing else of the exchange.

import {
  type Command,
  type CommandFrame,
  type Event,
  type EventFrame,
  FRAME_HASH_BYTES,
} from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { type CommandWithoutId, commandOf } from '../reference-models/unbranded.ts';
import { OpenOrders } from './open-orders.ts';
import { Random } from './random.ts';

/** Yields frames, receives the event frame of each, and never ends. */
export type Flow = Generator<CommandFrame, never, EventFrame>;

type EachWithoutPosition<Body> = Body extends { channel: number }
  ? Omit<Body, 'channel' | 'channelSequence'>
  : never;
export type ChannelBody = EachWithoutPosition<CommandWithoutId>;

const NO_HASH = new Uint8Array(FRAME_HASH_BYTES);
const FIRST_TIME_MS = 1_700_000_000_000;
const SENT_KEPT = 4_096;

export class FlowSender {
  readonly random: Random;
  readonly orders = new OpenOrders();
  timeMs = FIRST_TIME_MS;
  #sequence = 0;
  #commandNumber = 0;
  #commands: Command[] = [];
  /** Channel that each command of the frame should advance; 0 for none. */
  #movesChannel: number[] = [];
  readonly #channelSequences = new Map<number, number>();
  readonly #lastPrices: number[] = [];
  /** Most recent commands whose IDs the exchange still remembers, for repeats. */
  readonly #sent: Command[] = [];
  #sentCount = 0;
  /** Positions in the frame of repeated commands. */
  #again: number[] = [];

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  send(body: CommandWithoutId): void {
    this.#add(this.#withId(body), 0);
  }

  /** Sends with the channel's next sequence. */
  sendFrom(channel: number, body: ChannelBody): void {
    const channelSequence = (this.#channelSequences.get(channel) ?? 0) + 1;
    this.#channelSequences.set(channel, channelSequence);
    const sent = Object.assign(body, { channel, channelSequence }) as CommandWithoutId;
    this.#add(this.#withId(sent), channel);
  }

  /** Returns the sequence that the channel expects next. */
  nextSequenceOf(channel: number): number {
    return (this.#channelSequences.get(channel) ?? 0) + 1;
  }

  /** Sends an earlier command again with its ID, counted back from the latest. */
  sendAgain(ago: number): void {
    const position = this.#sentCount - ago;
    if (position < 0 || ago > SENT_KEPT) return;
    this.#again.push(this.#commands.length);
    this.#commands.push(this.#sent[position % SENT_KEPT]);
    this.#movesChannel.push(0);
  }

  /** Ends the frame, yields it, and reads its events. A negative step moves time back. */
  *publish(stepMs: number, pausedMs = 0): Generator<CommandFrame, readonly Event[], EventFrame> {
    this.timeMs += stepMs;
    this.#sequence += 1;
    const movesChannel = this.#movesChannel;
    const seen = yield {
      sequence: this.#sequence,
      epoch: 1,
      timeMs: this.timeMs as TimeMs,
      previousHash: NO_HASH,
      ...(pausedMs > 0 ? { pausedMs } : undefined),
      commands: this.#commands,
    };
    this.#rememberForgotten(seen);
    this.#commands = [];
    this.#movesChannel = [];
    for (const event of seen.events) {
      this.orders.see(event);
      if (event.kind === 'TradeExecuted') this.#lastPrices[event.market] = event.priceTicks;
      if (event.kind === 'CommandRefused' && event.refusal === 'channel_is_frozen') {
        const channel = movesChannel[event.command - seen.firstCommand];
        // A frozen channel does not advance on a rejection, but the command was counted when sent.
        if (channel > 0) this.#channelSequences.set(channel, this.nextSequenceOf(channel) - 2);
      }
    }
    return seen.events;
  }

  get pending(): number {
    return this.#commands.length;
  }

  lastPriceOf(market: number, otherwise: number): number {
    return this.#lastPrices[market] ?? otherwise;
  }

  #withId(body: CommandWithoutId): Command {
    this.#commandNumber += 1;
    return commandOf(body, { source: 1, number: this.#commandNumber });
  }

  #add(command: Command, movesChannel: number): void {
    this.#commands.push(command);
    this.#movesChannel.push(movesChannel);
    this.#remember(command);
  }

  #remember(command: Command): void {
    this.#sent[this.#sentCount % SENT_KEPT] = command;
    this.#sentCount += 1;
  }

  /** A repeat whose ID the exchange has dropped counts as new, and is remembered again. */
  #rememberForgotten({ events, firstCommand }: EventFrame): void {
    if (this.#again.length === 0) return;
    const repeated = new Set<number>();
    for (const event of events) {
      if (event.kind === 'CommandRepeated') repeated.add(event.command - firstCommand);
    }
    for (const place of this.#again) {
      if (!repeated.has(place)) this.#remember(this.#commands[place]);
    }
    this.#again = [];
  }
}
