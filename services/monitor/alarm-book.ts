// Open alarms, when each was opened, and unrecorded changes. An alarm closes when it has been
// absent for a while: a flickering one stays open, so operators see it.

import type { Alarm, AlarmEpisode } from '../../features/health/index.ts';

/** Absent for five evaluations in a row. */
const CLOSE_AFTER_MS = 5_000;
/** Limit on ended alarms not yet in the database; beyond it the oldest are lost. */
const ENDED_MAX = 10_000;

interface OpenAlarm {
  alarm: Alarm;
  openedMs: number;
  seenMs: number;
  isRecorded: boolean;
}

export class AlarmBook {
  readonly #open = new Map<string, OpenAlarm>();
  #ended: AlarmEpisode[] = [];

  /** Returns true if an alarm opened, closed or changed its severity. */
  update(alarms: readonly Alarm[], nowMs: number): boolean {
    let isChanged = false;
    for (const alarm of alarms) {
      const known = this.#open.get(keyOf(alarm));
      if (known === undefined) {
        this.#open.set(keyOf(alarm), { alarm, openedMs: nowMs, seenMs: nowMs, isRecorded: false });
        isChanged = true;
        continue;
      }
      const isOther = known.alarm.severity !== alarm.severity;
      if (isOther) known.isRecorded = false;
      isChanged ||= isOther;
      known.alarm = alarm;
      known.seenMs = nowMs;
    }
    for (const [key, { alarm, openedMs, seenMs }] of this.#open) {
      if (nowMs - seenMs < CLOSE_AFTER_MS) continue;
      this.#open.delete(key);
      this.#ended.push({ ...alarm, openedMs, closedMs: nowMs });
      if (this.#ended.length > ENDED_MAX) this.#ended.shift();
      isChanged = true;
    }
    return isChanged;
  }

  /** Pages first, then by age. */
  get open(): readonly AlarmEpisode[] {
    const all = [...this.#open.values()].map(
      ({ alarm, openedMs }): AlarmEpisode => ({ ...alarm, openedMs, closedMs: undefined }),
    );
    return all.sort(
      (one, other) =>
        rank(one) - rank(other) || one.openedMs - other.openedMs || byName(one, other),
    );
  }

  /** Alarms to write, ended ones first, because the same alarm might be open again. */
  get unrecorded(): readonly AlarmEpisode[] {
    const opened = this.open.filter((one) => this.#open.get(keyOf(one))?.isRecorded === false);
    return [...this.#ended, ...opened];
  }

  recorded(episodes: readonly AlarmEpisode[]): void {
    const ended = new Set(episodes);
    this.#ended = this.#ended.filter((one) => !ended.has(one));
    for (const one of episodes) {
      const known = this.#open.get(keyOf(one));
      const isSame = known?.openedMs === one.openedMs && known.alarm.severity === one.severity;
      if (known !== undefined && one.closedMs === undefined && isSame) known.isRecorded = true;
    }
  }

  /**
   * Called with the recorded open alarms when this process begins to write. An alarm that is also
   * open here is the same one; the others ended while no monitor wrote.
   */
  adopt(onRecord: readonly AlarmEpisode[], nowMs: number): void {
    const ending = new Set(this.#ended.map(keyOf));
    for (const one of onRecord) {
      const known = this.#open.get(keyOf(one));
      if (known !== undefined && !ending.has(keyOf(one))) {
        known.openedMs = Math.min(known.openedMs, one.openedMs);
        known.isRecorded = known.alarm.severity === one.severity;
      } else if (known === undefined && !ending.has(keyOf(one))) {
        this.#ended.push({ ...one, closedMs: nowMs });
      }
    }
  }
}

function keyOf({ name, object }: Alarm): string {
  return `${name} ${object}`;
}

function rank({ severity }: Alarm): number {
  return severity === 'page' ? 0 : 1;
}

function byName(one: Alarm, other: Alarm): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}
