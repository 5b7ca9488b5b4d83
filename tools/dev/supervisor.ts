// Restarts processes that exited: immediately, or with growing pauses if one keeps exiting.

export interface Supervised {
  readonly name: string;
  /** Undefined if it is not running. */
  readonly pid: number | undefined;
  readonly isStarting?: boolean;
  start(): Promise<void>;
  /** Returns the end of its log. */
  log(): string;
}

export interface SupervisorOptions {
  readonly processes: readonly Supervised[];
  nowMs(): number;
  print(line: string): void;
}

interface Record {
  startedMs: number;
  /** Number of exits soon after a start. */
  failures: number;
  isRestarting: boolean;
}

const STAYS_FROM_MS = 30_000;
const PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 30_000;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #records = new Map<string, Record>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const startedMs = options.nowMs() - STAYS_FROM_MS;
    for (const { name } of options.processes) {
      this.#records.set(name, { startedMs, failures: 0, isRestarting: false });
    }
  }

  /** Call it often. Resolves when the restarts that it began are done. */
  async tick(): Promise<void> {
    await Promise.all(this.#options.processes.map((process) => this.#attend(process)));
  }

  async #attend(process: Supervised): Promise<void> {
    const { nowMs, print } = this.#options;
    const record = this.#records.get(process.name)!;
    if (process.pid !== undefined || process.isStarting === true || record.isRestarting) return;
    const hasStayed = nowMs() - record.startedMs >= STAYS_FROM_MS;
    const pauseMs = Math.min(PAUSE_MS * 2 ** record.failures, PAUSE_MAX_MS);
    if (!hasStayed && nowMs() - record.startedMs < pauseMs) return;
    record.failures = hasStayed ? 0 : record.failures + 1;
    record.startedMs = nowMs();
    record.isRestarting = true;
    print(`${process.name} exited unexpectedly, restarting. Last log lines:`);
    print(process.log());
    try {
      await process.start();
      print(`${process.name} is running again.`);
    } catch (fault) {
      print(String(fault));
    } finally {
      record.isRestarting = false;
    }
  }
}
