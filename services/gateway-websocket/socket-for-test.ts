// Sockets without a network, for tests: a wire that keeps what was written and takes it when it is
// told to, and a topic that notes what it is asked. Nothing but tests imports it.

import type { Caller } from '../../domain/credentials/index.ts';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import type { Frame } from './frame.ts';
import type { Wire } from './outlet.ts';
import { type SocketParts, StreamSocket } from './stream-socket.ts';
import type { Channel, Following, Topic } from './topic.ts';

/** Takes everything at once, unless it is slow: then what waits is taken by `drain`. */
export class HandWire implements Wire {
  isOpen = true;
  isSlow = false;
  waitingBytes = 0;
  mark = 0;
  written: Buffer[] = [];
  closedWith: [code: number | undefined, reason: string | undefined] | undefined;
  isTerminated = false;
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

  terminate(): void {
    this.isOpen = false;
    this.isTerminated = true;
  }

  drain(): void {
    this.waitingBytes = 0;
    this.mark += 1;
  }

  /** The texts that were written since this was asked last. */
  texts(): string[] {
    const texts = this.written.map(textOf);
    this.written = [];
    return texts;
  }

  said(): unknown[] {
    return this.texts().map((text) => JSON.parse(text));
  }
}

/** The payload of one unmasked frame. */
export function textOf(bytes: Buffer): string {
  const headLength = bytes[1] < 126 ? 2 : bytes[1] === 126 ? 4 : 10;
  return bytes.subarray(headLength).toString();
}

export class NotedTopic implements Topic {
  readonly audience: Topic['audience'];
  readonly followings = new Set<Following>();
  readonly refreshed: Following[] = [];
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

  follow(following: Following): void {
    this.followings.add(following);
  }

  unfollow(following: Following): void {
    this.followings.delete(following);
  }

  refresh(following: Following): void {
    this.refreshed.push(following);
  }

  list(name: string): void {
    this.#names.push(name);
  }

  send(frame: Frame): boolean[] {
    return [...this.followings].map((following) => following.send(frame));
  }
}

export function callerOf(user: number, changes: Partial<Caller> = {}): Caller {
  return {
    kind: 'key',
    user,
    key: user * 10,
    session: 0,
    email: `u${user}@example.com`,
    role: 'user',
    canRead: true,
    mayOperate: () => false,
    ...changes,
  } as Caller;
}

export function socketWorld(changes: Partial<SocketParts> = {}) {
  const clock = new FakeClock(1_700_000_000_000);
  const orderbook = new NotedTopic('orderbook', ['btc-usdt', 'eth-usdt']);
  const order = new NotedTopic('order', [], 'user');
  const admin = new NotedTopic('admin', [], 'operator');
  const own: Channel[] = [{ name: 'order:7', symbol: undefined }];
  order.channels = () => own;
  admin.channels = () => [{ name: 'admin:7', symbol: undefined }];
  const traffic = { frames: 0, bytes: 0, leftOut: 0, refreshed: 0 };
  const closed: string[] = [];
  const faults: unknown[] = [];
  const parts: SocketParts = {
    clock,
    traffic,
    operations: {},
    topics: { orderbook, order, admin },
    limits: {
      waitingBytesMax: 1_000,
      waitingBytesOfAllMax: 4_000,
      stuckAfterMs: 10_000,
      followingsMax: 10,
    },
    identify: () => ({ refused: 'key_unknown' }),
    mayOperate: ({ role }) => role === 'admin',
    received() {},
    closed: (why) => closed.push(why),
    faulted: (_op, fault) => faults.push(fault),
    ...changes,
  };
  const connect = (caller?: Caller) => {
    const wire = new HandWire();
    const socket = new StreamSocket({ id: 1, address: '127.0.0.1', wire, parts, caller });
    return { wire, socket, say: (message: unknown) => socket.receive(JSON.stringify(message)) };
  };
  return { clock, orderbook, order, admin, traffic, closed, faults, parts, connect };
}
