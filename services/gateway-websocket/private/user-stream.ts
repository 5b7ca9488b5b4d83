// A user's news, stitched to a snapshot, for all that follow them here: listens first, then takes a
// snapshot that has whatever was said before, then hands on what is later. It gives each reader
// each entry once and in order, or a new snapshot; it never leaves one out in silence.

import type { Subscription } from '../../../infra/bus/index.ts';
import type { Position } from '../../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import { isAfter } from './position.ts';
import type { Snapshot } from './snapshot.ts';
import type { FramedMessage, UserEntries, UserEntry } from './user-entries.ts';

/** Whoever is told: a topic that a socket follows. */
export interface Reader {
  begin(snapshot: Snapshot): void;
  /** Instead of a snapshot: what follows comes after that place. */
  resumed(from: Position): void;
  give(entry: UserEntry, previous: Position): void;
  /** Each message of the entry, after that: in the same order for all readers of a socket. */
  giveMessage(message: FramedMessage): void;
}

export interface Past {
  /** What was kept of the user from the frame of the place on, as it was said. */
  readonly news: readonly UserEntries[];
  /** Whether what is kept goes back beyond the frame of the place. */
  readonly reachesBack: boolean;
}

export interface Standing {
  /** How far the tables are. */
  readonly frame: number;
  /** The last of their frames that had news for the user. */
  readonly lastFrame: number;
}

/** Where a user's news come from. Nothing here rejects: undefined is what can not be learnt now. */
export interface UserSource {
  listen(hear: (news: UserEntries) => void): Subscription;
  /** With everything that was said before the call. */
  readSnapshot(): Promise<Snapshot | undefined>;
  readPast(from: Position): Promise<Past | undefined>;
  readStanding(): Promise<Standing | undefined>;
}

export interface UserStreamSettings {
  /** After a snapshot that could not be had. */
  readonly retryMs: number;
  /** So much is held for those who wait for a snapshot; then it is taken anew. */
  readonly heldBytesMax: number;
  /** The tables are asked whether anything was missed: so long after a beginning, and so often. */
  readonly auditAfterMs: number;
  readonly auditEveryMs: number;
  /** What the tables have and nobody said may still be under way for so long. */
  readonly auditPatienceMs: number;
  /** Who wants to resume waits for it so long, and then gets a snapshot instead. */
  readonly lateMs: number;
}

export const USER_STREAM_DEFAULTS: UserStreamSettings = {
  retryMs: 250,
  heldBytesMax: 4 * 1024 * 1024,
  auditAfterMs: 2_000,
  auditEveryMs: 60_000,
  auditPatienceMs: 10_000,
  lateMs: 5_000,
};

export interface UserStreamWatcher {
  /** `readers` have got a snapshot. */
  began(readers: number): void;
  resumed(): void;
  /** Instead of resuming, a snapshot: not everything was kept, said in time, or could be read. */
  notResumable(why: 'unknown' | 'late' | 'unread'): void;
  /** Somebody missed something, by what was heard or by what the tables have. */
  gap(foundBy: 'news' | 'audit'): void;
}

/** waiting, without a position ──snapshot or resumption──▶ live ──gap──▶ waiting */
interface Seat {
  readonly reader: Reader;
  /** The last place that the reader knows everything up to; undefined while it waits. */
  position: Position | undefined;
  isResuming: boolean;
  isGone: boolean;
}

// listening, from the first moment ──close──▶ closed
export class UserStream {
  readonly #source: UserSource;
  readonly #clock: Clock;
  readonly #settings: UserStreamSettings;
  readonly #watcher: UserStreamWatcher;
  readonly #subscription: Subscription;
  readonly #seats = new Map<Reader, Seat>();
  /** What was heard since the first of those began who wait for an answer. */
  #held: UserEntries[] = [];
  #heldBytes = 0;
  #holders = 0;
  /** What was begun in an earlier round has not heard everything. */
  #round = 0;
  #isStitching = false;
  #retry: Timer | undefined;
  #audit: Timer | undefined;
  #isClosed = false;

  constructor(options: {
    readonly source: UserSource;
    readonly clock: Clock;
    readonly settings: UserStreamSettings;
    readonly watcher: UserStreamWatcher;
  }) {
    this.#source = options.source;
    this.#clock = options.clock;
    this.#settings = options.settings;
    this.#watcher = options.watcher;
    this.#subscription = this.#source.listen((news) => this.#onMessage(news));
  }

  get readerCount(): number {
    return this.#seats.size;
  }

  add(reader: Reader, resumeFrom?: Position): void {
    const isResuming = resumeFrom !== undefined;
    const seat: Seat = { reader, position: undefined, isResuming, isGone: false };
    this.#seats.set(reader, seat);
    if (isResuming) void this.#resume(seat, resumeFrom);
    else void this.#stitch();
  }

  /** Nothing is given to it any more. */
  remove(reader: Reader): void {
    const seat = this.#seats.get(reader);
    if (seat !== undefined) seat.isGone = true;
    this.#seats.delete(reader);
  }

  /** A fresh snapshot for one. */
  beginAgain(reader: Reader): void {
    const seat = this.#seats.get(reader);
    if (seat === undefined) return;
    seat.position = undefined;
    void this.#stitch();
  }

  /** The connection was lost for a while: nobody knows what was said. */
  connectionReturned(): void {
    this.#loseHeld();
    for (const seat of this.#seats.values()) seat.position = undefined;
    void this.#stitch();
  }

  close(): void {
    this.#isClosed = true;
    this.#subscription.stop();
    this.#retry?.cancel();
    this.#audit?.cancel();
    for (const { reader } of [...this.#seats.values()]) this.remove(reader);
  }

  #onMessage(news: UserEntries): void {
    if (this.#isClosed) return;
    if (this.#holders > 0) this.#hold(news);
    if (!this.#give(news, [...this.#seats.values()])) void this.#stitch();
  }

  /** Who misses something before it waits for a snapshot; false when there is one. */
  #give(news: UserEntries, seats: readonly Seat[]): boolean {
    const missing = give(news, seats);
    for (const seat of missing) {
      this.#watcher.gap('news');
      seat.position = undefined;
    }
    return missing.length === 0;
  }

  #hold(news: UserEntries): void {
    this.#held.push(news);
    this.#heldBytes += news.bytes;
    if (this.#heldBytes > this.#settings.heldBytesMax) this.#loseHeld();
  }

  #loseHeld(): void {
    this.#round += 1;
    this.#held = [];
    this.#heldBytes = 0;
  }

  #beginHolding(): number {
    this.#holders += 1;
    return this.#round;
  }

  #endHolding(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.#held = [];
    this.#heldBytes = 0;
  }

  #isAnyoneWaiting(): boolean {
    for (const { isResuming, position } of this.#seats.values()) {
      if (position === undefined && !isResuming) return true;
    }
    return false;
  }

  async #stitch(): Promise<void> {
    if (this.#isStitching || this.#isClosed || !this.#isAnyoneWaiting()) return;
    this.#retry?.cancel();
    this.#isStitching = true;
    const round = this.#beginHolding();
    const snapshot = await this.#source.readSnapshot();
    if (this.#isClosed) return;
    if (snapshot !== undefined && round === this.#round) this.#begin(snapshot);
    this.#endHolding();
    this.#isStitching = false;
    if (this.#isAnyoneWaiting()) this.#stitchLater();
  }

  #stitchLater(): void {
    this.#retry?.cancel();
    this.#retry = this.#clock.after(this.#settings.retryMs, () => void this.#stitch());
  }

  #begin(snapshot: Snapshot): void {
    const seats = [...this.#seats.values()].filter(
      ({ isResuming, position }) => position === undefined && !isResuming,
    );
    for (const seat of seats) {
      seat.position = snapshot.position;
      if (!seat.isGone) seat.reader.begin(snapshot);
    }
    for (const news of this.#held) this.#give(news, seats);
    this.#watcher.began(seats.length);
    this.#auditLater(this.#settings.auditAfterMs);
  }

  async #resume(seat: Seat, from: Position): Promise<void> {
    const round = this.#beginHolding();
    // In this order: what the tables have was said, or will be heard, or is found to be missing.
    const standing = await this.#source.readStanding();
    const past = await this.#source.readPast(from);
    let triesLeft = Math.ceil(this.#settings.lateMs / this.#settings.retryMs);
    for (; !this.#isClosed && !seat.isGone; triesLeft -= 1) {
      const isWhole = round === this.#round && past !== undefined;
      const news = isWhole ? [...past.news, ...this.#held] : [];
      const found = isWhole ? continuation({ from, news, past, standing }) : 'unread';
      if (found === 'late' && triesLeft > 0) {
        await this.#pause();
        continue;
      }
      if (found === 'whole') this.#goOn(seat, from, news);
      else this.#watcher.notResumable(found);
      break;
    }
    if (this.#isClosed) return;
    seat.isResuming = false;
    this.#endHolding();
    void this.#stitch();
  }

  #goOn(seat: Seat, from: Position, news: readonly UserEntries[]): void {
    seat.position = from;
    seat.reader.resumed(from);
    for (const one of news) this.#give(one, [seat]);
    this.#watcher.resumed();
    this.#auditLater(this.#settings.auditAfterMs);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(this.#settings.retryMs, resolve));
  }

  #auditLater(delayMs: number): void {
    this.#audit?.cancel();
    this.#audit = this.#clock.after(delayMs, () => void this.#lookAtTables());
  }

  /** A message that got lost shows with the next one. This finds those that have no next one. */
  async #lookAtTables(): Promise<void> {
    const { auditEveryMs, auditPatienceMs } = this.#settings;
    const standing = await this.#source.readStanding();
    if (this.#isClosed) return;
    const lastFrame = standing?.lastFrame ?? 0;
    if (this.#seatsBehind(lastFrame).length === 0) {
      this.#auditLater(auditEveryMs);
      return;
    }
    this.#audit = this.#clock.after(auditPatienceMs, () => {
      for (const seat of this.#seatsBehind(lastFrame)) {
        this.#watcher.gap('audit');
        seat.position = undefined;
      }
      void this.#stitch();
      this.#auditLater(auditEveryMs);
    });
  }

  #seatsBehind(frame: number): Seat[] {
    return [...this.#seats.values()].filter(
      ({ position }) => position !== undefined && position.frame < frame,
    );
  }
}

/** Gives what is new to each, and says which of them miss something before it. */
function give({ after, entries, last }: UserEntries, seats: readonly Seat[]): Seat[] {
  const behind = seats.filter(({ position }) => position !== undefined && isAfter(last, position));
  const missing = behind.filter(({ position }) => isAfter(after, position!));
  const takers = behind.filter((seat) => !missing.includes(seat));
  for (const entry of entries) {
    const now = takers.filter(({ position }) => isAfter(entry.position, position!));
    for (const seat of now) {
      const previous = seat.position!;
      seat.position = entry.position;
      if (!seat.isGone) seat.reader.give(entry, previous);
    }
    for (const message of entry.messages) {
      for (const { isGone, reader } of now) if (!isGone) reader.giveMessage(message);
    }
  }
  return missing;
}

/**
 * Whether all that came after the place is there, as far as anybody can know. `late`: it is, but
 * the tables have something more, which was not said yet or is lost.
 */
function continuation({
  from,
  news,
  past,
  standing,
}: {
  readonly from: Position;
  readonly news: readonly UserEntries[];
  readonly past: Past;
  readonly standing: Standing | undefined;
}): 'whole' | 'late' | 'unknown' {
  let position = from;
  let isProven = past.reachesBack;
  for (const { after, last } of news) {
    if (!isAfter(last, position)) continue;
    if (isAfter(after, position)) return 'unknown';
    isProven = true;
    position = last;
  }
  // Nothing was kept from so long ago; but the tables may say that nothing has happened since.
  isProven ||= standing !== undefined && standing.lastFrame < from.frame;
  // Somebody who names a place that does not exist yet would wait for it in silence.
  const isPast =
    isAfter(position, from) || (standing !== undefined && from.frame <= standing.frame);
  if (!isProven || !isPast) return 'unknown';
  return standing === undefined || standing.lastFrame <= position.frame ? 'whole' : 'late';
}
