// A cache of keys or sessions: bounded, least recently used entries leave first. A miss is read
// once for all waiters, and only one read runs at a time, so unknown names cannot flood the
// database. Entries stay while the database is down; changed ones are dropped.

import type { UserId } from '../../core/money/index.ts';
import type { Clock } from '../process/index.ts';
import type { CredentialUse } from './credential-port.ts';

/**
 * The sender of a request cannot be identified: its key is not cached and the database does not
 * respond. The client can retry.
 */
export class AccessFault extends Error {
  override readonly name = 'AccessFault';
}

export interface Credential {
  readonly id: number;
  readonly user: UserId;
  /** Users whose changes also drop the entry. */
  readonly relatedUsers?: readonly UserId[];
}

/** The common part of cached entries. */
type Known<Fields> = Fields & Credential;

export interface CredentialCacheOptions<Kept> {
  readonly clock: Clock;
  readonly entriesMax: number;
  /** Unknown names are left out. `known` is the previous entry, parts of which can be reused. */
  read(
    names: readonly string[],
    known: (name: string) => Kept | undefined,
  ): Promise<ReadonlyMap<string, Kept>>;
  /** The entry was read again and differs, or no longer exists. */
  onReadAgain(before: Kept, after: Kept | undefined): void;
  onReadFailed(fault: unknown): void;
}

interface Entry<Kept> {
  kept: Kept;
  /** Used since the search for an entry to remove last passed it. */
  isWanted: boolean;
  usedAtMs: number;
  /** The last use that was written. */
  writtenAtMs: number;
}

interface Waiting<Kept> {
  readonly promise: Promise<Kept | undefined>;
  /** Reads that a change has made uncertain. */
  uncertainReads: number;
  resolve(kept: Kept | undefined): void;
  reject(fault: Error): void;
}

const UNKNOWN_FOR_MS = 5_000;
const UNKNOWN_MAX = 10_000;
const NAMES_PER_READ_MAX = 1_000;
// Read in smaller parts: each one blocks the event loop.
const NAMES_PER_REFRESH = 200;
const WAITING_MAX = 10_000;
const READ_TIMEOUT_MS = 3_000;
const READS_WHILE_CHANGING_MAX = 5;

export class CredentialCache<Fields> {
  readonly #options: CredentialCacheOptions<Known<Fields>>;
  readonly #entries = new Map<string, Entry<Known<Fields>>>();
  /**
   * The search for an entry to remove, which continues where it stopped: see `#makeRoom`. Undefined
   * while there is room: an idle iterator keeps old memory alive.
   */
  #search: Iterator<[string, Entry<Known<Fields>>], undefined> | undefined;
  /** Unknown names, with the time until which they are remembered. */
  readonly #unknown = new Map<string, number>();
  /** The cached names of each user: a change of one user costs nothing for the others. */
  readonly #namesOf = new Map<UserId, Set<string>>();
  readonly #waiting = new Map<string, Waiting<Known<Fields>>>();
  /** Uses of entries that were removed before their use was written. */
  #usesLeft: CredentialUse[] = [];
  #isReading = false;
  /** Reads that began before a change might have seen the state before it. */
  #changes = 0;
  #readsRunning = 0;
  /** The last change of each user during the running reads; 0 for all users. */
  readonly #changedAt = new Map<UserId | 0, number>();

  constructor(options: CredentialCacheOptions<Known<Fields>>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Null if the name is unknown, undefined if it must be read first. */
  get(name: string): Known<Fields> | null | undefined {
    const entry = this.#entries.get(name);
    if (entry !== undefined) {
      entry.isWanted = true;
      return entry.kept;
    }
    const unknownUntilMs = this.#unknown.get(name);
    if (unknownUntilMs === undefined) return undefined;
    if (this.#options.clock.nowMs() < unknownUntilMs) return null;
    this.#unknown.delete(name);
    return undefined;
  }

  /**
   * Reads the name together with all others that are asked for meanwhile. Rejects with AccessFault.
   */
  load(name: string): Promise<Known<Fields> | undefined> {
    const others = this.#waiting.get(name);
    if (others !== undefined) return others.promise;
    if (this.#waiting.size >= WAITING_MAX) {
      return Promise.reject(new AccessFault('too many names wait for a read'));
    }
    const { promise, reject, resolve } = Promise.withResolvers<Known<Fields> | undefined>();
    this.#waiting.set(name, { promise, resolve, reject, uncertainReads: 0 });
    if (!this.#isReading) {
      this.#isReading = true;
      this.#options.clock.soon(() => void this.#readWaiting());
    }
    return promise;
  }

  /** Records a use, to be written later. */
  use(name: string, nowMs: number): void {
    const entry = this.#entries.get(name);
    if (entry !== undefined) entry.usedAtMs = nowMs;
  }

  /** The last use since the entry is cached; 0 without one. */
  usedAtMs(name: string): number {
    return this.#entries.get(name)?.usedAtMs ?? 0;
  }

  /** Drops all entries of the user; 0 for all users. */
  forget(user: UserId | 0): void {
    this.#changes += 1;
    if (this.#readsRunning > 0) this.#changedAt.set(user, this.#changes);
    this.#unknown.clear();
    const names = user === 0 ? this.#entries.keys() : (this.#namesOf.get(user) ?? []);
    for (const name of [...names]) {
      const entry = this.#entries.get(name);
      if (entry === undefined) continue;
      this.#search = undefined;
      this.#remove(name, entry);
    }
  }

  /** Reads everything again, in parts. If that fails, the entries stay. */
  async refresh(): Promise<void> {
    const names = [...this.#entries.keys()];
    for (let from = 0; from < names.length; from += NAMES_PER_REFRESH) {
      const part = names.slice(from, from + NAMES_PER_REFRESH);
      try {
        await this.#readSince(part, (found, since) => {
          for (const name of part) this.#replace(name, found, since);
        });
      } catch (fault) {
        this.#options.onReadFailed(fault);
        return;
      }
    }
  }

  /** Passes all uses since the last call to `write`; if that rejects, they are passed again. */
  async writeUses(write: (uses: readonly CredentialUse[]) => Promise<void>): Promise<void> {
    const entries = [...this.#entries.values()].filter((one) => one.usedAtMs > one.writtenAtMs);
    const left = this.#usesLeft;
    const uses = [...left, ...entries.map(({ kept, usedAtMs }) => ({ id: kept.id, usedAtMs }))];
    if (uses.length === 0) return;
    await write(uses);
    this.#usesLeft = this.#usesLeft.slice(left.length);
    entries.forEach((entry, index) => {
      entry.writtenAtMs = uses[left.length + index].usedAtMs;
    });
  }

  async #readWaiting(): Promise<void> {
    while (this.#waiting.size > 0) {
      const names = [...this.#waiting.keys()].slice(0, NAMES_PER_READ_MAX);
      try {
        await this.#readSince(names, (found, since) => {
          for (const name of names) this.#settle(name, found.get(name), since);
        });
      } catch (fault) {
        this.#options.onReadFailed(fault);
        for (const name of names) this.#fail(name, fault);
      }
    }
    this.#isReading = false;
  }

  async #readSince(
    names: readonly string[],
    onFound: (found: ReadonlyMap<string, Known<Fields>>, since: number) => void,
  ): Promise<void> {
    const since = this.#changes;
    this.#readsRunning += 1;
    try {
      onFound(await this.#read(names), since);
    } finally {
      this.#readsRunning -= 1;
      if (this.#readsRunning === 0) this.#changedAt.clear();
    }
  }

  #hasChanged(kept: Credential, since: number): boolean {
    if (this.#changedAt.size === 0) return false;
    return [0 as const, ...usersOf(kept)].some((one) => (this.#changedAt.get(one) ?? 0) > since);
  }

  #read(names: readonly string[]): Promise<ReadonlyMap<string, Known<Fields>>> {
    const { clock, read } = this.#options;
    return new Promise((resolve, reject) => {
      const late = () => reject(new AccessFault(`no response within ${READ_TIMEOUT_MS} ms`));
      const timer = clock.after(READ_TIMEOUT_MS, late);
      read(names, (name) => this.#entries.get(name)?.kept)
        .then(resolve, reject)
        .finally(() => timer.cancel());
    });
  }

  #settle(name: string, kept: Known<Fields> | undefined, since: number): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return;
    // An unknown name may be of any user who changed.
    const isCertain = kept === undefined ? this.#changes === since : !this.#hasChanged(kept, since);
    if (!isCertain) {
      waiting.uncertainReads += 1;
      if (waiting.uncertainReads < READS_WHILE_CHANGING_MAX) return;
    }
    if (isCertain && kept !== undefined) this.#keep(name, kept);
    if (isCertain && kept === undefined) this.#keepUnknown(name);
    waiting.resolve(kept);
    this.#waiting.delete(name);
  }

  #fail(name: string, cause: unknown): void {
    this.#waiting.get(name)?.reject(new AccessFault('credential read failed', { cause }));
    this.#waiting.delete(name);
  }

  #keep(name: string, kept: Known<Fields>): void {
    if (this.#entries.size >= this.#options.entriesMax) this.#makeRoom();
    this.#entries.set(name, { kept, isWanted: false, usedAtMs: 0, writtenAtMs: 0 });
    for (const user of usersOf(kept)) {
      const names = this.#namesOf.get(user);
      if (names === undefined) this.#namesOf.set(user, new Set([name]));
      else names.add(name);
    }
  }

  // Oldest first; an entry that was used since is spared once and moves to the end. So a hit, which
  // is on the path of every request, moves nothing; and the iterator never restarts, which would
  // pass all deleted entries again.
  #makeRoom(): void {
    while (this.#entries.size >= this.#options.entriesMax) {
      this.#search ??= this.#entries.entries();
      const next = this.#search.next();
      if (next.done) {
        this.#search = undefined;
        continue;
      }
      const [name, entry] = next.value;
      if (!entry.isWanted) {
        this.#remove(name, entry);
        continue;
      }
      entry.isWanted = false;
      this.#entries.delete(name);
      this.#entries.set(name, entry);
    }
  }

  #keepUnknown(name: string): void {
    // All are dropped immediately if there are too many: they would expire in seconds anyway.
    if (this.#unknown.size >= UNKNOWN_MAX) this.#unknown.clear();
    this.#unknown.set(name, this.#options.clock.nowMs() + UNKNOWN_FOR_MS);
  }

  // A change during the read drops the entry; one that is here again is newer than the read.
  #replace(name: string, found: ReadonlyMap<string, Known<Fields>>, since: number): void {
    const entry = this.#entries.get(name);
    if (entry === undefined || this.#hasChanged(entry.kept, since)) return;
    const before = entry.kept;
    const after = found.get(name);
    if (after !== undefined) {
      entry.kept = after;
    } else {
      this.#search = undefined;
      this.#remove(name, entry);
    }
    this.#options.onReadAgain(before, after);
  }

  #remove(name: string, { kept, usedAtMs, writtenAtMs }: Entry<Known<Fields>>): void {
    this.#entries.delete(name);
    for (const user of usersOf(kept)) {
      const names = this.#namesOf.get(user);
      names?.delete(name);
      if (names?.size === 0) this.#namesOf.delete(user);
    }
    const isWritten = usedAtMs <= writtenAtMs;
    if (!isWritten && this.#usesLeft.length < this.#options.entriesMax) {
      this.#usesLeft.push({ id: kept.id, usedAtMs });
    }
  }
}

function usersOf({ relatedUsers = [], user }: Credential): readonly UserId[] {
  return relatedUsers.length === 0 ? [user] : [user, ...relatedUsers];
}
