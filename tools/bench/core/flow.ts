// The measured flow for the core: 60% place, 35% cancel, 5% amend, over 8 markets and 10,000
// accounts. Recorded once against an engine, so cancels name open orders, then replayed as often as
// needed. Seeded: the same commands in every run.

import assert from 'node:assert/strict';
import { applyFrame, createExchange, type Exchange } from '../../../core/engine/index.ts';
import {
  type Command,
  type CommandFrame,
  type Event,
  INITIAL_LIMITS,
  type Limits,
  type PlaceOrder,
} from '../../../core/messages/index.ts';
import type {
  AssetId,
  Atoms,
  KeyId,
  Lots,
  MarketId,
  OrderNumber,
  Ppm,
  Ticks,
  TimeMs,
  UserId,
} from '../../../core/money/index.ts';

export const MARKETS = 8;
const ASSETS = MARKETS + 1;
/** Each with an account in every asset: 10,008 accounts. */
export const USERS = 1_112;
const QUOTE = 1 as AssetId;
const MID_TICKS = 100_000;
const FRAME_COMMANDS = 256;
const SOURCES = 4;

export const LIMITS: Limits = {
  ...INITIAL_LIMITS,
  usersMax: 1 << 20,
  accountsMax: 1 << 21,
  ordersMax: 1 << 21,
  commandWindow: 1 << 16,
  clientOrderIdWindow: 1 << 16,
  ordersPerUserMax: 10_000,
  fillsPerCommandMax: 10_000,
};

/** A small repeatable number generator (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below;
  };
}

/** Whether orders have client order IDs, which market makers send: on every other order. */
export type ClientIds = 'none' | 'half';

/** Numbers commands and groups them into frames for one exchange. */
export class Recorder {
  readonly exchange: Exchange = createExchange();
  readonly clientIds: ClientIds;
  #ids = 0;
  #sequence = 0;

  constructor(clientIds: ClientIds) {
    this.clientIds = clientIds;
  }

  /** Numbered like those from gateways: each counts its own, and they alternate. */
  id(): { source: number; number: number } {
    const id = this.#ids++;
    return { source: 1 + (id % SOURCES), number: 1 + Math.floor(id / SOURCES) };
  }

  frame(commands: readonly Command[]): CommandFrame {
    return {
      sequence: ++this.#sequence,
      epoch: 1,
      timeMs: (1_800_000_000_000 + this.#sequence) as TimeMs,
      previousHash: new Uint8Array(32),
      commands,
    };
  }

  apply(commands: readonly Command[]): readonly Event[] {
    const { events } = applyFrame(this.exchange, this.frame(commands));
    const refused = events.find((event) => event.kind === 'CommandRefused');
    assert.equal(refused, undefined, 'preparing the exchange meets no refusal');
    return events;
  }
}

/** Lists the markets and gives every user enough of everything. */
export function setUp(recorder: Recorder, users: number): void {
  recorder.apply([{ kind: 'SetLimits', ...recorder.id(), ...LIMITS }]);
  for (let asset = 1; asset <= ASSETS; asset++) {
    recorder.apply([
      {
        kind: 'ListAsset',
        ...recorder.id(),
        symbol: `asset${asset}`,
        scale: 8,
        issuanceCapAtoms: (1n << 62n) as Atoms,
      },
    ]);
  }
  for (let market = 1; market <= MARKETS; market++) listMarket(recorder, market as MarketId);
  let sequence = 0;
  for (let user = 1; user <= users; user++) {
    const credits: Command[] = [];
    for (let asset = 1; asset <= ASSETS; asset++) {
      credits.push({
        kind: 'CreditDeposit',
        ...recorder.id(),
        channel: 1,
        channelSequence: ++sequence,
        user: user as UserId,
        asset: asset as AssetId,
        amountAtoms: 100_000_000_000_000n as Atoms,
        reference: 'bench',
      });
    }
    recorder.apply(credits);
  }
}

function listMarket(recorder: Recorder, market: MarketId): void {
  recorder.apply([
    {
      kind: 'ListMarket',
      ...recorder.id(),
      base: (market + 1) as AssetId,
      quote: QUOTE,
      lotAtoms: 10_000n as Atoms,
      tickMantissa: 1,
      tickScale: 2,
      minPriceTicks: 1 as Ticks,
      maxPriceTicks: 10_000_000 as Ticks,
      minSizeLots: 1 as Lots,
      maxSizeLots: 1_000_000 as Lots,
      referenceTicks: MID_TICKS as Ticks,
      status: 'full',
    },
    {
      kind: 'SetMarketFees',
      ...recorder.id(),
      market,
      tier: 1,
      makerPpm: 1_000 as Ppm,
      takerPpm: 2_000 as Ppm,
    },
  ]);
}

/** Returns an order far enough from the middle to stay, for filling the books. */
export function restingOrder(recorder: Recorder, random: (below: number) => number): PlaceOrder {
  const sells = random(2) < 1;
  const away = 101 + Math.floor(random(20_000));
  return order(recorder, random, sells, MID_TICKS + (sells ? away : -away));
}

function order(
  recorder: Recorder,
  random: (below: number) => number,
  sells: boolean,
  priceTicks: number,
): PlaceOrder {
  const id = recorder.id();
  const isNamed = random(2) < 1 && recorder.clientIds === 'half';
  return {
    kind: 'PlaceOrder',
    ...id,
    user: (1 + Math.floor(random(USERS))) as UserId,
    key: 1 as KeyId,
    market: (1 + Math.floor(random(MARKETS))) as MarketId,
    side: sells ? 'sell' : 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    selfTrade: 'cancel_newest',
    postOnly: false,
    priceTicks: priceTicks as Ticks,
    sizeLots: (1 + Math.floor(random(100))) as Lots,
    stopTicks: 0 as Ticks,
    clientOrderId: isNamed ? clientOrderId(id) : '',
    note: '',
    trigger: 'stop',
    linkedOrder: 0 as OrderNumber,
    expiresMs: 0 as TimeMs,
  };
}

/** As flat in memory as a decoded string; a joined one would be flattened when read. */
function clientOrderId({ source, number }: { source: number; number: number }): string {
  const text = `mm${source}-${number.toString().padStart(18, '0')}`;
  return Buffer.from(text).toString('latin1');
}

/** Records the measured flow on top of the recorder's exchange. */
export function recordFlow(recorder: Recorder, commands: number, seed: number): CommandFrame[] {
  const random = seeded(seed);
  const open = new OpenOrders();
  const frames: CommandFrame[] = [];
  for (let made = 0; made < commands; made += FRAME_COMMANDS) {
    const batch: Command[] = [];
    while (batch.length < FRAME_COMMANDS) batch.push(nextCommand(recorder, random, open));
    const frame = recorder.frame(batch);
    frames.push(frame);
    open.follow(applyFrame(recorder.exchange, frame).events);
  }
  return frames;
}

function nextCommand(
  recorder: Recorder,
  random: (below: number) => number,
  open: OpenOrders,
): Command {
  const dice = random(100);
  const target = dice < 60 ? undefined : open.pick(random, dice < 95);
  if (target === undefined) {
    const sells = random(2) < 1;
    // One in five crosses the middle and trades; the rest join within a hundred ticks.
    const away = random(100) < 21 ? -20 : 1 + Math.floor(random(100));
    return order(recorder, random, sells, MID_TICKS + (sells ? away : -away));
  }
  const { order: number, user } = target;
  const id = recorder.id();
  if (dice < 95) return { kind: 'CancelOrder', ...id, user, order: number, byOperator: false };
  const sizeLots = (target.sizeLots + (random(2) < 1 ? 1 : -1)) as Lots;
  const keep = 0 as Ticks;
  const change = { priceTicks: keep, sizeLots, stopTicks: keep };
  return { kind: 'AmendOrder', ...id, user, order: number, ...change };
}

interface OpenOrder {
  readonly order: OrderNumber;
  readonly user: UserId;
  readonly sizeLots: number;
}

/** Orders assumed to be open, from the events alone. */
class OpenOrders {
  readonly #list: OpenOrder[] = [];
  readonly #closed = new Set<number>();

  follow(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'OrderPlaced') {
        this.#list.push({ order: event.order, user: event.user, sizeLots: event.sizeLots });
      } else if (event.kind === 'OrderClosed') {
        this.#closed.add(event.order);
      }
    }
  }

  pick(random: (below: number) => number, taken: boolean): OpenOrder | undefined {
    const list = this.#list;
    while (list.length > 0) {
      const at = Math.floor(random(list.length));
      const found = list[at];
      const isClosed = this.#closed.delete(found.order);
      if (isClosed || taken) {
        list[at] = list[list.length - 1];
        list.pop();
      }
      if (!isClosed) return found;
    }
    return undefined;
  }
}
