// Processes that should exist, from their beats. One without beats is down until it returns or is
// forgotten; one that said goodbye is stopped.

import type { TimeMs } from '../../core/money/index.ts';
import type { ProcessFact, ProcessRecord } from '../../features/health/index.ts';
import { isDefaultInstance } from '../../infra/settings/index.ts';
import type { StatusBeat } from '../../infra/status/index.ts';

/** Three missing beats. */
export const SILENT_MS = 3_000;
/** How long an orderly stop is remembered. */
const STOPPED_MS = 7 * 86_400_000;
/** How often the time of the last beat is written, at least. */
const WRITE_EVERY_MS = 60_000;
/** Limit above any real exchange; beats from further processes are ignored. */
const PROCESSES_MAX = 1_000;

interface Entry {
  beat: StatusBeat;
  heardMs: number;
  state: ProcessFact['state'];
  readyMs: number | undefined;
  /** When the row was last written; undefined if it must be written now. */
  writtenMs: number | undefined;
  /** True if the table has a row. If the row is gone, an operator dismissed the process. */
  hasRow: boolean;
}

export class ProcessBook {
  readonly #entries = new Map<string, Entry>();
  /** Rows of processes that another one replaced. */
  #removed: string[] = [];

  heard(beat: StatusBeat, nowMs: number): void {
    const known = this.#entries.get(beat.instance);
    if (known === undefined) {
      if (isDefaultInstance(beat)) this.#replaceUnnamed(beat);
      if (this.#entries.size >= PROCESSES_MAX) return;
    }
    const state = beat.isLeaving ? 'stopped' : 'running';
    const isSame =
      known !== undefined && known.state === state && known.beat.startedMs === beat.startedMs;
    const isReady = Object.values(beat.checks).every((check) => check === true);
    this.#entries.set(beat.instance, {
      beat,
      heardMs: nowMs,
      state,
      readyMs: isReady ? nowMs : isSame ? known.readyMs : undefined,
      writtenMs: isSame ? known.writtenMs : undefined,
      hasRow: known?.hasRow ?? false,
    });
  }

  /**
   * `busUpMs`: when the bus returned; undefined while it is unreachable, because then missing beats
   * mean nothing.
   */
  tick(nowMs: number, busUpMs: number | undefined): void {
    for (const [instance, entry] of this.#entries) {
      const quietMs = nowMs - Math.max(entry.heardMs, busUpMs ?? nowMs);
      if (entry.state === 'running' && quietMs > SILENT_MS) {
        entry.state = 'down';
        entry.writtenMs = undefined;
      }
      if (entry.state === 'stopped' && nowMs - entry.heardMs > STOPPED_MS) this.#remove(instance);
    }
  }

  facts(nowMs: number): ProcessFact[] {
    const facts = [...this.#entries.values()].map((entry) => factOf(entry, nowMs));
    return facts.sort((one, other) => (one.instance < other.instance ? -1 : 1));
  }

  /** Beats with the disks that processes reported, each once. */
  get beats(): readonly StatusBeat[] {
    return [...this.#entries.values()].map(({ beat }) => beat);
  }

  /**
   * Called with the rows at the start of a connection, for processes without a beat at this monitor
   * yet.
   */
  load(records: readonly ProcessRecord[], nowMs: number): void {
    for (const record of records) {
      const known = this.#entries.get(record.instance);
      if (known !== undefined) {
        known.hasRow = true;
        continue;
      }
      const { heardMs, state, ...own } = record;
      this.#entries.set(record.instance, {
        beat: { ...own, checks: {}, figures: {}, disks: [], isLeaving: state === 'stopped' },
        // Missing beats count from now, unless it was down before.
        heardMs: state === 'running' ? nowMs : heardMs,
        state,
        readyMs: undefined,
        writtenMs: nowMs,
        hasRow: true,
      });
    }
  }

  /** Called when an operator removed the rows of the others. */
  dismissed(rows: ReadonlySet<string>): void {
    for (const [instance, { hasRow, state }] of this.#entries) {
      if (hasRow && !rows.has(instance) && state !== 'running') this.#entries.delete(instance);
    }
  }

  /** Returns rows to write now, and those to remove. Call `written` when they are. */
  unwritten(nowMs: number): {
    readonly records: readonly ProcessRecord[];
    readonly removed: readonly string[];
  } {
    const due = [...this.#entries.values()].filter(
      ({ state, writtenMs }) =>
        writtenMs === undefined || (state === 'running' && nowMs - writtenMs >= WRITE_EVERY_MS),
    );
    return { records: due.map(recordOf), removed: this.#removed };
  }

  written(records: readonly ProcessRecord[], nowMs: number): void {
    for (const { instance, state } of records) {
      const entry = this.#entries.get(instance);
      if (entry === undefined) continue;
      entry.hasRow = true;
      if (entry.state === state) entry.writtenMs = nowMs;
    }
    this.#removed = [];
  }

  /** A process without its own name replaces one that exited on the same host. */
  #replaceUnnamed(beat: StatusBeat): void {
    for (const [instance, entry] of this.#entries) {
      const { host, service } = entry.beat;
      const isSameKind =
        service === beat.service && host === beat.host && isDefaultInstance(entry.beat);
      if (!isSameKind || entry.state === 'running') continue;
      this.#remove(instance);
      return;
    }
  }

  #remove(instance: string): void {
    this.#entries.delete(instance);
    this.#removed.push(instance);
  }
}

function factOf({ beat, heardMs, readyMs, state }: Entry, nowMs: number): ProcessFact {
  const { checks, commit, custodyFile, figures, host, instance, pid } = beat;
  const { service, switchesVersion, version } = beat;
  const isReady = Object.values(checks).every((check) => check === true);
  return {
    service,
    instance,
    host,
    pid,
    version,
    commit,
    startedMs: beat.startedMs as TimeMs,
    heardMs: heardMs as TimeMs,
    state,
    checks,
    notReadyMs: isReady ? 0 : Math.max(0, nowMs - (readyMs ?? beat.startedMs)),
    figures,
    ...(switchesVersion === undefined ? {} : { switchesVersion }),
    ...(custodyFile === undefined ? {} : { custodyFile }),
  };
}

function recordOf({ beat, heardMs, state }: Entry): ProcessRecord {
  const { commit, host, instance, pid, service, startedMs, version } = beat;
  return { instance, service, host, pid, version, commit, startedMs, heardMs, state };
}
