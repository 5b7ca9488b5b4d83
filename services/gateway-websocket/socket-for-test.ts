// Sockets without a network: a wire that records writes and drains on demand, and a topic that
// records its calls. Only tests import it.

import type { Caller } from '../../features/auth/index.ts';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { STREAM_CLIENT_BUDGET } from '../../protocol/index.ts';
import { ClientBudgets } from './client-budgets.ts';
import type { Frame } from './frame.ts';
import { LoopTurns } from './loop-turns.ts';
import type { Wire } from './socket-writer.ts';
import { type SocketDependencies, StreamSocket } from './stream-socket.ts';
import type { Channel, ChannelSubscription, Topic } from './topic.ts';

/** Accepts everything immediately; while `isSlow`, buffers data until `drain`. */
export class FakeWire implements Wire {
  isOpen = true;
  isSlow = false;
  waitingBytes = 0;
  mark = 0;
  written: Buffer[] = [];
  closedWith: [code: number | undefined, reason: string | undefined] | undefined;
  isTerminated = false;
  isReading = true;
  corks = 0;

  write(bytes: Buffer): void {
    this.written.push(bytes);
    if (this.isSlow) this.waitingBytes += bytes.length;
  }

  cork(): void {
    this.corks += 1;
  }

  uncork(): void {
    this.corks -= 1;
  }

  close(code?: number, reason?: string): void {
    this.isOpen = false;
    this.closedWith = [code, reason];
  }

  stopReading(): void {
    this.isReading = false;
  }

  terminate(): void {
    this.isOpen = false;
    this.isTerminated = true;
  }

  drain(): void {
    this.waitingBytes = 0;
    this.mark += 1;
  }

  /** Returns the texts written since the last call. */
  texts(): string[] {
    const texts = this.written.map(textOf);
    this.written = [];
    return texts;
  }

  said(): unknown[] {
    return this.texts().map((text) => JSON.parse(text));
  }
}

/** Returns the payload of one unmasked frame. */
export function textOf(bytes: Buffer): string {
  const headLength = bytes[1] < 126 ? 2 : bytes[1] === 126 ? 4 : 10;
  return bytes.subarray(headLength).toString();
}

export class RecordingTopic implements Topic {
  readonly audience: Topic['audience'];
  readonly weight = 1;
  readonly subscriptions = new Set<ChannelSubscription>();
  readonly refreshed: ChannelSubscription[] = [];
  readonly #names: string[];
  readonly #topic: string;

  constructor(topic: string, names: string[], audience: Topic['audience'] = 'anyone') {
    this.#topic = topic;
    this.#names = names;
    this.audience = audience;
  }

  channels(symbol: string | undefined): readonly Channel[] | { error: string } {
    const channel = (name: string) => ({ name: `${this.#topic}:${name}`, symbol: name });
    if (symbol === undefined) return this.#names.map(channel);
    return this.#names.includes(symbol) ? [channel(symbol)] : { error: 'Invalid symbol' };
  }

  subscribe(subscription: ChannelSubscription): void {
    this.subscriptions.add(subscription);
  }

  unsubscribe(subscription: ChannelSubscription): void {
    this.subscriptions.delete(subscription);
  }

  refresh(subscription: ChannelSubscription): void {
    this.refreshed.push(subscription);
  }

  list(name: string): void {
    this.#names.push(name);
  }

  send(frame: Frame): boolean[] {
    return [...this.subscriptions].map((subscription) => subscription.send(frame));
  }
}

export function callerOf(user: number, changes: Partial<Caller> = {}): Caller {
  return {
    kind: 'key',
    user,
    key: user * 10,
    session: 0,
    relatedUsers: [],
    email: `u${user}@example.com`,
    role: 'user',
    canRead: true,
    mayOperate: () => false,
    ...changes,
  } as Caller;
}

export interface SocketHarnessOptions extends Partial<SocketDependencies> {
  readonly weightPerTurn?: number;
}

export function socketHarness({ weightPerTurn = 100_000, ...changes }: SocketHarnessOptions = {}) {
  const clock = new FakeClock(1_700_000_000_000);
  const orderbook = new RecordingTopic('orderbook', ['btc-usdt', 'eth-usdt']);
  const order = new RecordingTopic('order', [], 'user');
  const admin = new RecordingTopic('admin', [], 'operator');
  const own: Channel[] = [{ name: 'order:7', symbol: undefined }];
  order.channels = () => own;
  admin.channels = () => [{ name: 'admin:7', symbol: undefined }];
  const traffic = { frames: 0, bytes: 0, conflated: 0, refreshed: 0 };
  const closed: string[] = [];
  const faults: unknown[] = [];
  const offenders: string[] = [];
  const budgets = new ClientBudgets({ clock, sizes: STREAM_CLIENT_BUDGET });
  const dependencies: SocketDependencies = {
    clock,
    traffic,
    turns: new LoopTurns({ clock, weightPerTurn }),
    operations: {},
    topics: { orderbook, order, admin },
    limits: {
      waitingBytesMax: 1_000,
      waitingBytesOfAllMax: 4_000,
      stuckAfterMs: 10_000,
      subscriptionsMax: 10,
    },
    identify: () => ({ refused: 'key_unknown' }),
    mayOperate: ({ role }) => role === 'admin',
    budgetOf: (address, caller) => budgets.of(address, caller),
    budgetSpent: 'Rate limit exceeded: budget',
    offended: (address) => offenders.push(address),
    received() {},
    closed: (why) => closed.push(why),
    faulted: (_op, fault) => faults.push(fault),
    ...changes,
  };
  const connect = (caller?: Caller) => {
    const wire = new FakeWire();
    const hear = (text: string) => socket.receive(Buffer.from(text));
    const socket = new StreamSocket({ id: 1, address: '127.0.0.1', wire, dependencies, caller });
    return { wire, socket, say: (message: unknown) => hear(JSON.stringify(message)), hear };
  };
  return {
    clock,
    orderbook,
    order,
    admin,
    traffic,
    closed,
    faults,
    offenders,
    dependencies,
    connect,
  };
}
