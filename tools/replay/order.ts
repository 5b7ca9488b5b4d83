// `order`: the full lifecycle of one order, event by event, until it closes or the archive ends.

import {
  type Command,
  type Event,
  type OrderPlaced,
  orderIdText,
} from '../../core/messages/index.ts';
import type { AssetId, Lots, MarketId, OrderNumber } from '../../core/money/index.ts';
import { ArchiveFault } from '../../infra/journal/index.ts';
import { type Applied, type ReplaySource, replay } from '../../infra/replica/index.ts';
import { type JsonMessage, messageToJson } from '../codec/message-json.ts';
import { tableLines } from '../text-table.ts';
import { eventSentence } from './event-sentence.ts';
import { timeText } from './moments.ts';
import { Names } from './names.ts';
import { startBefore } from './source.ts';

export interface OrderOptions {
  readonly order: OrderNumber;
  /** True to continue after the order closes, because commands might still name it. */
  readonly readsOn: boolean;
}

export interface LifeLine {
  readonly sequence: number;
  readonly epoch: number;
  readonly timeMs: number;
  /** 0 if a time step was the cause. */
  readonly command: number;
  readonly sentence: string;
  readonly event: JsonMessage;
}

/** `never placed`: the command was refused, or does not place orders. */
export type OrderState = 'open' | 'closed' | 'never placed';

export interface OrderLife {
  readonly order: OrderNumber;
  readonly id: string;
  /** Command whose number the order has. */
  readonly asked: Command['kind'];
  readonly state: OrderState;
  readonly user: number | null;
  readonly market: string | null;
  readonly side: string | null;
  readonly size: string | null;
  readonly filled: string | null;
  readonly remaining: string | null;
  /** Totals of the fills before fees, and the fees, each with its asset. */
  readonly notional: string | null;
  readonly fees: string | null;
  /** Why it closed. */
  readonly reason: string | null;
  readonly lines: readonly LifeLine[];
  /** Last frame that was read. */
  readonly readTo: number;
}

export async function orderLife(source: ReplaySource, options: OrderOptions): Promise<OrderLife> {
  const { archive } = source;
  const { order } = options;
  if (archive.findCommand(order) === undefined) {
    const detail = `command ${order} is not among the ${archive.end.commands} of this archive`;
    throw new ArchiveFault('not_there', detail);
  }
  const replica = await startBefore(source, order);
  const names = new Names(replica.exchange);
  const life = new Life(order, names);
  for await (const applied of replay(archive, replica, archive.end.sequence)) {
    life.see(applied);
    if (life.isOver && !options.readsOn) break;
  }
  return life.tell(replica.sequence);
}

class Life {
  readonly #order: OrderNumber;
  readonly #names: Names;
  readonly #lines: LifeLine[] = [];
  #asked: Command['kind'] | undefined;
  #placed: OrderPlaced | undefined;
  #sizeLots = 0;
  #filledLots = 0;
  #quoteAtoms = 0n;
  readonly #feeAtoms = new Map<AssetId, bigint>();
  #closed: Extract<Event, { kind: 'OrderClosed' }> | undefined;

  constructor(order: OrderNumber, names: Names) {
    this.#order = order;
    this.#names = names;
  }

  get isOver(): boolean {
    const isNeverPlaced = this.#asked !== undefined && this.#placed === undefined;
    return isNeverPlaced || this.#closed !== undefined;
  }

  see({ frame, events }: Applied): void {
    const { firstCommand, timeMs } = events;
    this.#asked ??= frame.commands[this.#order - firstCommand]?.kind;
    for (const event of events.events) {
      if (!this.#concerns(event, frame.commands[event.command - firstCommand])) continue;
      this.#count(event);
      this.#lines.push({
        sequence: frame.sequence,
        epoch: frame.epoch,
        timeMs,
        command: event.command,
        sentence: eventSentence(this.#names, event),
        event: messageToJson(event),
      });
    }
  }

  tell(readTo: number): OrderLife {
    const placed = this.#placed;
    const size = (lots: number) =>
      placed === undefined ? null : this.#names.size(placed.market, lots as Lots);
    return {
      order: this.#order,
      id: orderIdText(this.#order),
      asked: this.#asked as Command['kind'],
      state: this.#state(),
      user: placed?.user ?? null,
      market: placed === undefined ? null : this.#names.market(placed.market),
      side: placed?.side ?? null,
      size: size(this.#sizeLots),
      filled: size(this.#filledLots),
      remaining: size(this.#closed?.remainingLots ?? this.#sizeLots - this.#filledLots),
      notional: placed === undefined ? null : this.#notional(placed.market),
      fees: placed === undefined ? null : this.#feesText(),
      reason: this.#closed?.reason ?? null,
      lines: this.#lines,
      readTo,
    };
  }

  #state(): OrderState {
    if (this.#placed === undefined) return 'never placed';
    return this.#closed === undefined ? 'open' : 'closed';
  }

  /** Events name orders; for a refused command, the command itself names the order. */
  #concerns(event: Event, command: Command | undefined): boolean {
    const order = this.#order;
    if (event.kind === 'TradeExecuted') {
      return event.makerOrder === order || event.takerOrder === order;
    }
    if ('order' in event && event.order === order) return true;
    if (event.kind === 'CommandRepeated') return event.original === order;
    if (event.kind !== 'CommandRefused' && event.kind !== 'CommandPoisoned') return false;
    const named = command !== undefined && 'order' in command ? command.order : undefined;
    return event.command === order || named === order;
  }

  #count(event: Event): void {
    if (event.kind === 'OrderPlaced') {
      this.#placed = event;
      this.#sizeLots = event.sizeLots;
    } else if (event.kind === 'OrderAmended') {
      this.#sizeLots = event.sizeLots;
    } else if (event.kind === 'OrderClosed') {
      this.#closed = event;
    } else if (event.kind === 'TradeExecuted') {
      this.#filledLots += event.sizeLots;
      this.#quoteAtoms += event.quoteAtoms;
      const isTaker = event.takerOrder === this.#order;
      const feeAtoms = isTaker ? event.takerFeeAtoms : event.makerFeeAtoms;
      const buys = (event.takerSide === 'buy') === isTaker;
      const asset = buys ? event.base : event.quote;
      this.#feeAtoms.set(asset, (this.#feeAtoms.get(asset) ?? 0n) + feeAtoms);
    }
  }

  #notional(market: MarketId): string {
    return this.#names.quoteAmount(market, this.#quoteAtoms);
  }

  #feesText(): string {
    const fees = [...this.#feeAtoms].map(([asset, atoms]) => this.#names.amount(asset, atoms));
    return fees.length === 0 ? 'none' : fees.join(', ');
  }
}

const COLUMNS = [
  { title: 'frame', isNumber: true },
  { title: 'epoch', isNumber: true },
  { title: 'time' },
  { title: 'command', isNumber: true },
  { title: 'what happened' },
];

export function orderText(life: OrderLife): string {
  const rows = life.lines.map((line) => [
    String(line.sequence),
    String(line.epoch),
    timeText(line.timeMs),
    line.command === 0 ? 'time' : String(line.command),
    line.sentence,
  ]);
  const summary = life.user === null ? [] : summaryLines(life);
  return [
    `order ${life.order} (${life.id})`,
    `state      ${stateText(life)}`,
    ...summary,
    '',
    ...(rows.length === 0 ? ['no event concerns it'] : tableLines(COLUMNS, rows)),
  ].join('\n');
}

function summaryLines(life: OrderLife): string[] {
  const { filled, fees, market, notional, remaining, side, size, user } = life;
  return [
    `order      user ${user} ${side}s ${size} ${market}`,
    `filled     ${filled} for ${notional}, ${remaining} left, fees ${fees}`,
  ];
}

function stateText({ asked, order, reason, readTo, state }: OrderLife): string {
  if (state === 'closed') return `closed: ${reason}`;
  if (state === 'open') return `open at frame ${readTo}, the end of the archive`;
  return `never placed: command ${order}, a ${asked}, gave no order`;
}
