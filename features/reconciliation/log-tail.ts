// End of the command log as a replica has read it: for each frame, digests of the projected rows
// that must follow from it, and its money commands. Bounded: the oldest are dropped.

import { createHash } from 'node:crypto';
import { makerSide, type TradeSide, takerSide } from '../../core/market-data/index.ts';
import {
  type CommandFrame,
  type Event,
  type EventFrame,
  type Posting,
  postingsOf,
  type Refusal,
  type TradeExecuted,
} from '../../core/messages/index.ts';
import { storableText } from '../../infra/postgres/index.ts';
import { type ChannelCommand, OUTBOX_CHANNELS } from '../../platform/outbox/index.ts';

export interface RowsDigest {
  readonly rows: number;
  readonly digest: Uint8Array;
}

/** A frame with at least one row. */
export interface LoggedFrame {
  readonly frame: number;
  readonly timeMs: number;
  readonly entries: RowsDigest | undefined;
  readonly trades: RowsDigest | undefined;
}

/** The copy of a money command that took its position. */
export interface LoggedCommand {
  readonly frame: number;
  readonly number: number;
  /** 'none' if accepted. */
  readonly refusal: Refusal;
  readonly command: ChannelCommand;
}

/** Everything after `after` and up to `to`. */
export interface LogPart<Item> {
  /** Later than requested if the tail does not reach back that far. */
  readonly after: number;
  readonly to: number;
  readonly items: readonly Item[];
}

/** State after a frame, from which a tail begins. */
export interface TailStart {
  readonly sequence: number;
  readonly commandsApplied: number;
  readonly channelSequences: ArrayLike<number>;
}

/** About 40 MB of frames. */
const ITEMS_MAX = 100_000;
const CHANNELS: readonly number[] = Object.values(OUTBOX_CHANNELS);

export class LogTail {
  readonly #itemsMax: number;
  #frames: LoggedFrame[] = [];
  #framesAfter = 0;
  #commands: LoggedCommand[] = [];
  #commandsAfter = 0;
  /** Number of the last command before those that are kept. */
  #numbersAfter = 0;
  #to = 0;
  readonly #positions = new Map<number, number>();

  constructor(itemsMax = ITEMS_MAX) {
    this.#itemsMax = itemsMax;
  }

  start({ channelSequences, commandsApplied, sequence }: TailStart): void {
    this.#frames = [];
    this.#commands = [];
    this.#framesAfter = this.#commandsAfter = this.#to = sequence;
    this.#numbersAfter = commandsApplied;
    for (const channel of CHANNELS) this.#positions.set(channel, channelSequences[channel] ?? 0);
  }

  /** Adds the next frame. `channelSequences` is the state after it. */
  add(frame: CommandFrame, events: EventFrame, channelSequences: ArrayLike<number>): void {
    this.#to = frame.sequence;
    const entries = digestEntries(events);
    const trades = digestTrades(events);
    if (entries !== undefined || trades !== undefined) {
      this.#frames.push({ frame: frame.sequence, timeMs: events.timeMs, entries, trades });
    }
    this.#addCommands(frame, events, channelSequences);
    if (this.#frames.length > this.#itemsMax) {
      const gone = this.#frames.splice(0, this.#frames.length - this.#itemsMax / 2);
      this.#framesAfter = gone[gone.length - 1].frame;
    }
    if (this.#commands.length > this.#itemsMax) {
      const gone = this.#commands.splice(0, this.#commands.length - this.#itemsMax / 2);
      const last = gone[gone.length - 1];
      this.#commandsAfter = last.frame;
      this.#numbersAfter = last.number;
      // A frame is kept completely or not at all.
      this.#commands = this.#commands.filter(({ frame: of }) => of > last.frame);
    }
  }

  framesBetween(after: number, to: number): LogPart<LoggedFrame> {
    const from = Math.max(after, this.#framesAfter);
    const items = this.#frames.filter(({ frame }) => frame > from && frame <= to);
    return { after: from, to: Math.max(from, Math.min(to, this.#to)), items };
  }

  commandsAfter(after: number): LogPart<LoggedCommand> & { readonly numbersAfter: number } {
    const from = Math.max(after, this.#commandsAfter);
    const items = this.#commands.filter(({ frame }) => frame > from);
    return { after: from, to: Math.max(from, this.#to), items, numbersAfter: this.#numbersAfter };
  }

  #addCommands(
    { commands, sequence: frame }: CommandFrame,
    events: EventFrame,
    channelSequences: ArrayLike<number>,
  ): void {
    for (let index = 0; index < commands.length; index++) {
      const command = commands[index];
      if (!('channelSequence' in command)) continue;
      const { channel, channelSequence } = command;
      if (channelSequence !== (this.#positions.get(channel) ?? Number.NaN) + 1) continue;
      // The engine has reached the position, so the copy that took it is in this frame.
      if (channelSequences[channel] < channelSequence) continue;
      const number = events.firstCommand + index;
      const refusal = refusalOf(events.events, number);
      if (refusal === undefined) continue;
      this.#positions.set(channel, channelSequence);
      this.#commands.push({ frame, number, refusal, command });
    }
  }
}

/** Returns undefined for a copy that did not take its position: out of order, or repeated. */
function refusalOf(events: readonly Event[], number: number): Refusal | undefined {
  for (const event of events) {
    if (event.command !== number) continue;
    if (event.kind === 'CommandRepeated') return undefined;
    if (event.kind === 'CommandRefused') {
      return event.refusal.startsWith('channel_') ? undefined : event.refusal;
    }
    if (event.kind === 'CommandPoisoned') return 'command_is_poisoned';
  }
  return 'none';
}

// ---- Digests of rows --------------------------------------------------------------------------

// A row is one line of its values. ENTRY_LINE and TRADE_LINE build the same lines in PostgreSQL.

export const ENTRY_LINE = `concat_ws('|', owner, asset_id, event_index, posting_index,
  available_change_atoms, held_change_atoms, cause_kind, cause_id, command,
  coalesce(reference, ''), (extract(epoch from recorded_at) * 1000)::bigint)`;
export const ENTRY_ORDER = 'event_index, posting_index, owner';

/** Line for a trade `t`, the maker's fill `m` and the taker's fill `k`. */
export const TRADE_LINE = `concat_ws('|', t.number, t.market_id, t.base_id, t.quote_id,
  t.taker_side, t.price_ticks, t.size_lots, t.maker_order, t.taker_order, t.maker_id, t.taker_id,
  t.base_atoms, t.quote_atoms, t.maker_fee_atoms, t.taker_fee_atoms, t.house, t.quick, t.command,
  (extract(epoch from t.executed_at) * 1000)::bigint, ${fillLine('m')}, ${fillLine('k')})`;
export const TRADE_ORDER = 't.number';

function fillLine(fill: string): string {
  const columns =
    'market_id side price_ticks size_lots quote_atoms order_number fee_asset_id fee_atoms quick';
  return columns
    .split(' ')
    .map((column) => `${fill}.${column}`)
    .join(', ');
}

function digestEntries({ events, timeMs }: EventFrame): RowsDigest | undefined {
  const lines: string[] = [];
  for (let index = 0; index < events.length; index++) {
    const event = events[index];
    const postings = postingsOf(event);
    for (let at = 0; at < postings.length; at++) {
      for (const [owner, available, held] of sidesOf(postings[at])) {
        const { asset, cause } = postings[at];
        const reference = 'reference' in event ? storableText(event.reference) : '';
        lines.push(
          `${owner}|${asset}|${index}|${at}|${available}|${held}|${cause.kind}|${cause.id}|` +
            `${event.command}|${reference}|${timeMs}`,
        );
      }
    }
  }
  return digestOf(lines);
}

/** Changes of one posting, by owner. A posting within an account is one row. */
function sidesOf(posting: Posting): (readonly [owner: number, available: bigint, held: bigint])[] {
  const { amountAtoms, from, to } = posting;
  const paid = from.part === 'available' ? [-amountAtoms, 0n] : [0n, -amountAtoms];
  const received = to.part === 'available' ? [amountAtoms, 0n] : [0n, amountAtoms];
  if (from.owner === to.owner) return [[from.owner, paid[0] + received[0], paid[1] + received[1]]];
  const payer = [from.owner, paid[0], paid[1]] as const;
  const receiver = [to.owner, received[0], received[1]] as const;
  return from.owner < to.owner ? [payer, receiver] : [receiver, payer];
}

function digestTrades({ events, timeMs }: EventFrame): RowsDigest | undefined {
  const lines: string[] = [];
  for (const event of events) if (event.kind === 'TradeExecuted') lines.push(line(event, timeMs));
  return digestOf(lines);
}

function line(trade: TradeExecuted, timeMs: number): string {
  return [
    trade.trade,
    trade.market,
    trade.base,
    trade.quote,
    trade.takerSide,
    trade.priceTicks,
    trade.sizeLots,
    trade.makerOrder,
    trade.takerOrder,
    trade.maker,
    trade.taker,
    trade.baseAtoms,
    trade.quoteAtoms,
    trade.makerFeeAtoms,
    trade.takerFeeAtoms,
    trade.house ? 't' : 'f',
    trade.quick ? 't' : 'f',
    trade.command,
    timeMs,
    ...fillValues(trade, makerSide(trade)),
    ...fillValues(trade, takerSide(trade)),
  ].join('|');
}

function fillValues(trade: TradeExecuted, fill: TradeSide): (string | number | bigint)[] {
  const feeAsset = fill.side === 'buy' ? trade.base : trade.quote;
  const { feeAtoms, order, priceTicks, quoteAtoms, side, sizeLots } = fill;
  const quick = trade.quick ? 't' : 'f';
  return [trade.market, side, priceTicks, sizeLots, quoteAtoms, order, feeAsset, feeAtoms, quick];
}

function digestOf(lines: readonly string[]): RowsDigest | undefined {
  if (lines.length === 0) return undefined;
  return { rows: lines.length, digest: createHash('sha256').update(lines.join('\n')).digest() };
}
