// Discards old log messages, but only those covered by a verified snapshot, in two archive copies
// that it has just read back, and not needed by a follower. First copies each archived segment. A
// fault discards nothing; the next round tries again.

import {
  type Archive,
  type Extent,
  findEvents,
  readEvents,
  readNewest,
  type SnapshotInfo,
  type SnapshotStore,
  type TrimmableLog,
  verifySegment,
} from '../../infra/journal/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { type TrimFacts, trimLimit } from './trim-limit.ts';

export interface TrimmerOptions {
  readonly commands: TrimmableLog;
  readonly events: TrimmableLog;
  readonly snapshots: Pick<SnapshotStore, 'newest'>;
  readonly archive: Archive;
  /** Must be on another disk, preferably on another machine. */
  readonly copy: Archive;
  /** Returns for each follower the last frame that it no longer needs. */
  followers(): ReadonlyMap<string, number>;
  readonly clock: Clock;
  readonly settings: TrimSettings;
  readonly watcher: TrimWatcher;
}

export interface TrimSettings {
  readonly trimEveryMs: number;
  readonly commandsKeptMs: number;
  readonly eventsKeptMs: number;
  readonly followersWaitMs: number;
  readonly marginFrames: number;
}

export const TRIM_DEFAULTS: TrimSettings = {
  trimEveryMs: 600_000,
  commandsKeptMs: 86_400_000,
  eventsKeptMs: 3_600_000,
  followersWaitMs: 86_400_000,
  marginFrames: 10_000,
};

export type TrimmedLog = 'commands' | 'events';

export interface TrimWatcher {
  /** All frames up to this one are in both archive copies. */
  copied(frame: number): void;
  /** The log no longer contains the frames up to this one. */
  trimmed(log: TrimmedLog, frame: number, first: number): void;
  /** A log could not be trimmed in this round; nothing was discarded. */
  trimFailed(fault: unknown): void;
  held(log: TrimmedLog, by: string): void;
}

/** idle; working: one round; stopped. */
export class Trimmer {
  readonly #options: TrimmerOptions;
  #round: Promise<void> = Promise.resolve();
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: TrimmerOptions) {
    this.#options = options;
    this.#later();
  }

  /** Resolves when the current round is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#round;
  }

  /** Runs one round: copies segments, and trims both logs as far as the rules allow. */
  async trim(): Promise<void> {
    const { watcher } = this.#options;
    try {
      await this.#copy();
      // Events first, because an outage in between then leaves more than needed.
      await this.#trimEvents();
      await this.#trimCommands();
    } catch (fault) {
      watcher.trimFailed(fault);
    }
  }

  #later(): void {
    const { clock, settings } = this.#options;
    if (this.#isStopped) return;
    this.#timer = clock.after(settings.trimEveryMs, () => {
      this.#round = this.trim().then(() => this.#later());
    });
  }

  async #copy(): Promise<void> {
    const { archive, copy, watcher } = this.#options;
    if ((await copy.copyFrom(archive)) > 0) watcher.copied(copy.end.sequence);
  }

  async #trimEvents(): Promise<void> {
    const { events, settings } = this.#options;
    const extent = await extentOf(events);
    if (extent.last < extent.first) return;
    const batch = await readEvents(events, extent.first);
    if (batch === undefined || batch === 'damaged') throw new Error('EVENTS cannot be read');
    const from = batch.parts[0].sequence;
    const frame = await this.#limit('events', { from, keptMs: settings.eventsKeptMs });
    if (frame < from) return;
    const found = await findEvents(events, frame + 1);
    if (typeof found !== 'object') throw new Error('EVENTS cannot be read');
    if (found.message > extent.first) await this.#discard('events', frame, found.message);
  }

  async #trimCommands(): Promise<void> {
    const { commands, settings } = this.#options;
    const extent = await extentOf(commands);
    const keptMs = settings.commandsKeptMs;
    const frame = await this.#limit('commands', { from: extent.first, keptMs });
    // The last message is always kept.
    if (frame < extent.first || frame >= extent.last) return;
    await this.#discard('commands', frame, frame + 1);
  }

  /** Returns the last frame that can be discarded, as just read back from both copies. */
  async #limit(
    log: TrimmedLog,
    { from, keptMs }: { readonly from: number; readonly keptMs: number },
  ): Promise<number> {
    const { clock, copy, followers, settings, watcher } = this.#options;
    const facts = {
      nowMs: clock.nowMs(),
      copied: copy.segments(),
      followers: followers(),
      snapshotFrame: Number.MAX_SAFE_INTEGER,
    } satisfies TrimFacts;
    const rules = { ...settings, keptMs };
    // A snapshot is large, so it is read only if nothing else keeps the frames.
    let limit = trimLimit(facts, rules);
    if (limit.frame >= from) {
      limit = trimLimit({ ...facts, snapshotFrame: await this.#snapshotFrame() }, rules);
    }
    watcher.held(log, limit.heldBy);
    if (limit.frame >= from) await this.#verify(from, limit.frame);
    return limit.frame;
  }

  async #snapshotFrame(): Promise<number> {
    const { snapshots } = this.#options;
    const atMost = Number.MAX_SAFE_INTEGER;
    // Reads every chunk back: a damaged snapshot must not allow trimming.
    const begin = (info: SnapshotInfo) => ({ info, add: () => {} });
    const answer = await new Promise<ReturnType<typeof begin> | 'none' | 'unavailable'>((done) =>
      readNewest({ snapshots, atMost, begin }, done),
    );
    if (answer === 'unavailable') throw new Error('the snapshots cannot be read');
    return answer === 'none' ? 0 : answer.info.sequence;
  }

  /** Reads the segments with these frames back from both copies and checks their hash chains. */
  async #verify(from: number, to: number): Promise<void> {
    for (const archive of [this.#options.archive, this.#options.copy]) {
      for (const [index, { firstSequence, lastSequence }] of archive.segments().entries()) {
        if (lastSequence < from || firstSequence > to) continue;
        for await (const _ of verifySegment(archive, index));
      }
    }
  }

  async #discard(log: TrimmedLog, frame: number, first: number): Promise<void> {
    const { watcher } = this.#options;
    const isTrimmed = await new Promise<boolean>((done) => this.#options[log].trim(first, done));
    if (!isTrimmed) throw new Error(`${log} did not confirm the trim to ${first}`);
    watcher.trimmed(log, frame, first);
  }
}

async function extentOf(log: TrimmableLog): Promise<Extent> {
  const extent = await new Promise<Extent | undefined>((done) => log.extent(done));
  if (extent === undefined) throw new Error('the log does not respond');
  return extent;
}
