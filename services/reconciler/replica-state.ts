// The engine for the checks: a replica of the log, the end of the log, and the postings of its last
// frames, which turn the current accounts into those at a slightly earlier frame.

import { accountsOf, openOrdersOf } from '../../core/engine/index.ts';
import { type Event, type Posting, postingsOf } from '../../core/messages/index.ts';
import {
  type EngineAccount,
  type EngineAsset,
  type EngineHold,
  type EngineOrder,
  type EngineState,
  type EngineUser,
  LogTail,
} from '../../features/reconciliation/index.ts';
import type { LogStream, SnapshotStore } from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { FollowingReplica, type Replica } from '../../infra/replica/index.ts';

export interface ReplicaStateOptions {
  readonly commands: LogStream;
  /** Required ID of the log's frame 1; undefined accepts any. */
  readonly exchangeId?: string | undefined;
  readonly snapshots: Pick<SnapshotStore, 'newest'>;
  readonly clock: Clock;
  readonly settings: ReplicaStateSettings;
  /** Frames after this one are read from the log, if it still has them. */
  readonly recordedTo: number;
  onStarted(frame: number): void;
  onStalled(reason: string): void;
  onFault(reason: string, cause?: unknown): void;
}

export interface ReplicaStateSettings {
  /** Limit on kept postings, about 100 bytes each. */
  readonly postingsMax: number;
  /** How long a check waits for a frame. */
  readonly reachMs: number;
  readonly retryMs: number;
  readonly watchMs: number;
}

export const REPLICA_STATE_DEFAULTS: ReplicaStateSettings = {
  postingsMax: 1_000_000,
  reachMs: 2_000,
  retryMs: 100,
  watchMs: 500,
};

interface KeptFrame {
  readonly frame: number;
  readonly postings: readonly Posting[];
  /** Orders that the frame changed. */
  readonly orders: readonly number[];
}

interface Waiter {
  readonly frame: number;
  resolve(isReached: boolean): void;
}

/** Changes to an account, and the account itself. */
type Change = { availableAtoms: bigint; heldAtoms: bigint };

export class ReplicaState implements EngineState {
  readonly log = new LogTail();
  readonly #options: ReplicaStateOptions;
  #follower: FollowingReplica;
  /** Frames after `#keptFrom`, in order; those without a change are omitted. */
  #kept: KeptFrame[] = [];
  #keptFrom = 0;
  #postings = 0;
  #waiters: Waiter[] = [];

  constructor(options: ReplicaStateOptions) {
    this.#options = options;
    this.#follower = this.#follow(options.recordedTo);
  }

  get isStarted(): boolean {
    return this.#follower.replica !== undefined;
  }

  get frame(): number {
    return this.#follower.replica?.sequence ?? 0;
  }

  reach(frame: number): Promise<boolean> {
    if (this.isStarted && this.frame >= frame) return Promise.resolve(true);
    const { clock, settings } = this.#options;
    return new Promise((resolve) => {
      const timer = clock.after(settings.reachMs, () => {
        this.#waiters = this.#waiters.filter((one) => one !== waiter);
        resolve(false);
      });
      const waiter = {
        frame,
        resolve(isReached: boolean) {
          timer.cancel();
          resolve(isReached);
        },
      };
      this.#waiters.push(waiter);
    });
  }

  assetOf(asset: number): EngineAsset {
    const found = this.#replica.exchange.assets[asset - 1];
    return found ?? { symbol: `asset ${asset}`, scale: 0 };
  }

  accounts(): readonly EngineAccount[] {
    return accountsOf(this.#replica.exchange);
  }

  accountsAt(frame: number): readonly EngineAccount[] | undefined {
    if (frame < this.#keptFrom || frame > this.frame) return undefined;
    // Table positions only grow.
    this.#forget(frame);
    const changes = this.#keptChanges();
    return this.accounts().map((account) => {
      const change = changes.get(keyOf(account.owner, account.asset));
      if (change === undefined) return account;
      const { asset, availableAtoms, heldAtoms, owner } = account;
      return {
        owner,
        asset,
        availableAtoms: availableAtoms - change.availableAtoms,
        heldAtoms: heldAtoms - change.heldAtoms,
      };
    });
  }

  users(): readonly EngineUser[] {
    const { users } = this.#replica.exchange;
    return Array.from({ length: users.size }, (_, index) => ({
      user: users.id(index + 1),
      tier: users.tier(index + 1),
      discountPpm: users.discountPpm(index + 1),
    }));
  }

  *orders(): Generator<EngineOrder> {
    const { exchange } = this.#replica;
    for (const order of openOrdersOf(exchange)) {
      yield { ...order, base: exchange.markets[order.market - 1].base };
    }
  }

  ordersChangedAfter(frame: number): ReadonlySet<number> | undefined {
    if (frame < this.#keptFrom || frame > this.frame) return undefined;
    const later = this.#kept.filter((one) => one.frame > frame);
    return new Set(later.flatMap(({ orders }) => orders));
  }

  holds(): ReadonlyMap<number, EngineHold> {
    return this.#replica.exchange.withdrawals;
  }

  channelSequence(channel: number): number {
    return this.#replica.exchange.channelSequences[channel] ?? 0;
  }

  stop(): void {
    this.#follower.stop();
    for (const { resolve } of this.#waiters.splice(0)) resolve(false);
  }

  get #replica(): Replica {
    const { replica } = this.#follower;
    if (replica === undefined) throw new Error('the replica has not started');
    return replica;
  }

  /** Begins at a snapshot at or before the frame, or at the newest if the log is shorter. */
  #follow(atMost: number): FollowingReplica {
    const { clock, commands, exchangeId, onFault, onStalled, settings, snapshots } = this.#options;
    const { retryMs, watchMs } = settings;
    let hasApplied = false;
    return new FollowingReplica({
      commands,
      exchangeId,
      snapshots,
      clock,
      retryMs,
      watchMs,
      atMost,
      onStarted: (replica) => {
        this.#keptFrom = replica.sequence;
        this.log.start(replica.exchange);
        this.#options.onStarted(replica.sequence);
      },
      onApplied: ({ events, frame }, { exchange, sequence }) => {
        hasApplied = true;
        this.log.add(frame, events, exchange.channelSequences);
        this.#applied(sequence, events.events);
      },
      onStalled,
      onFault: (reason, cause) => {
        if (hasApplied || atMost === Number.MAX_SAFE_INTEGER) onFault(reason, cause);
        else this.#follower = this.#follow(Number.MAX_SAFE_INTEGER);
      },
    });
  }

  #applied(frame: number, events: readonly Event[]): void {
    const postings = events.flatMap(postingsOf);
    const orders = events.flatMap(ordersOf);
    if (postings.length + orders.length > 0) this.#kept.push({ frame, postings, orders });
    this.#postings += postings.length;
    while (this.#postings > this.#options.settings.postingsMax) this.#forget(this.#kept[0].frame);
    if (this.#waiters.length === 0) return;
    const reached = this.#waiters.filter((waiter) => waiter.frame <= frame);
    this.#waiters = this.#waiters.filter((waiter) => waiter.frame > frame);
    for (const { resolve } of reached) resolve(true);
  }

  /** Forgets the postings up to and including a frame. */
  #forget(frame: number): void {
    const first = this.#kept.findIndex((one) => one.frame > frame);
    const gone = this.#kept.splice(0, first === -1 ? this.#kept.length : first);
    for (const { postings } of gone) this.#postings -= postings.length;
    this.#keptFrom = Math.max(this.#keptFrom, frame);
  }

  /** Returns the totals of the kept postings, by account. */
  #keptChanges(): Map<string, Change> {
    const changes = new Map<string, Change>();
    for (const { postings } of this.#kept) {
      for (const { amountAtoms, asset, from, to } of postings) {
        add(changes, keyOf(from.owner, asset), from.part, -amountAtoms);
        add(changes, keyOf(to.owner, asset), to.part, amountAtoms);
      }
    }
    return changes;
  }
}

/** Returns the orders that an event changes. */
function ordersOf(event: Event): number[] {
  switch (event.kind) {
    case 'TradeExecuted':
      return event.takerOrder === 0 ? [] : [event.makerOrder, event.takerOrder];
    case 'OrderPlaced':
    case 'OrderTriggered':
    case 'OrderAmended':
    case 'OrderClosed':
      return [event.order];
    default:
      return [];
  }
}

function keyOf(owner: number, asset: number): string {
  return `${owner} ${asset}`;
}

function add(
  changes: Map<string, Change>,
  key: string,
  part: 'available' | 'held',
  atoms: bigint,
): void {
  let change = changes.get(key);
  if (change === undefined) changes.set(key, (change = { availableAtoms: 0n, heldAtoms: 0n }));
  if (part === 'available') change.availableAtoms += atoms;
  else change.heldAtoms += atoms;
}
