// Switches that a process applies. Reads them before the process serves, polls their version every
// half second, and reads immediately when the bus announces a change. Keeps its state while the
// database is unreachable.

import type { Bus, Subscription, Watch } from '../../infra/bus/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import type { SwitchService } from './api/switches.ts';
import {
  hasSessionEnded,
  readSwitchesInForce,
  readSwitchVersion,
  type SessionCaller,
  type SwitchesInForce,
} from './switches-in-force.ts';

export interface SwitchBoardOptions {
  readonly clock: Clock;
  readonly statements: Statements;
  readonly bus: Bus | undefined;
  readonly exchange: string;
  readonly watcher: SwitchWatcher;
}

export interface SwitchWatcher {
  changed(switches: SwitchesInForce): void;
  /** The first failed read of an outage. */
  readFailed(fault: unknown): void;
}

const POLL_EVERY_MS = 500;
const NOTHING = new Uint8Array();

export function switchSubject(exchange: string): string {
  return `${exchange}.switches.changed`;
}

/** new ──start──▶ unread ──first read──▶ known ──stop──▶ stopped */
export class SwitchBoard {
  readonly #options: SwitchBoardOptions;
  readonly #listeners = new Set<() => void>();
  readonly #firstRead = Promise.withResolvers<void>();
  #switches: SwitchesInForce | undefined;
  #subscription: Subscription | undefined;
  #timer: Timer | undefined;
  #isReading = false;
  /** A change was announced during a read, which might have missed it. */
  #isStale = false;
  #isFailing = false;
  #isStopped = false;

  constructor(options: SwitchBoardOptions) {
    this.#options = options;
  }

  /** Resolves when the switches are known, however long the database is unreachable. */
  start(): Promise<void> {
    const { bus, exchange } = this.#options;
    this.#subscription = bus?.subscribe(switchSubject(exchange), () => void this.#refresh());
    void this.#refresh();
    return this.#firstRead.promise;
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#subscription?.stop();
  }

  /** Version of the switches that this process applies; undefined before the first read. */
  get version(): number | undefined {
    return this.#switches?.version;
  }

  get isReadOnly(): boolean {
    return this.#switches?.isReadOnly ?? true;
  }

  get areLoginsStopped(): boolean {
    return this.#switches?.areLoginsStopped ?? true;
  }

  /** True before the first read too. */
  isIntakeStopped(service: SwitchService): boolean {
    return this.#switches?.stoppedServices.has(service) ?? true;
  }

  /** Whether an operator has ended this session together with many others. */
  hasEnded(caller: SessionCaller): boolean {
    return this.#switches !== undefined && hasSessionEnded(this.#switches.sessionEnds, caller);
  }

  /** Called after each change with the new active switches. */
  watch(listener: () => void): Watch {
    const own = () => listener();
    this.#listeners.add(own);
    return { stop: () => this.#listeners.delete(own) };
  }

  /** Notifies all processes of a change. Call it after the commit. */
  announce(): void {
    const { bus, exchange } = this.#options;
    bus?.publish(switchSubject(exchange), NOTHING);
  }

  async #refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    this.#timer?.cancel();
    while (this.#isStale && !this.#isStopped) {
      this.#isStale = false;
      await this.#read();
    }
    this.#isReading = false;
    if (this.#isStopped) return;
    this.#timer = this.#options.clock.after(POLL_EVERY_MS, () => void this.#refresh());
  }

  async #read(): Promise<void> {
    const { statements, watcher } = this.#options;
    try {
      const isKnown = (await readSwitchVersion(statements)) === this.version;
      if (!isKnown) this.#apply(await readSwitchesInForce(statements));
      this.#isFailing = false;
    } catch (fault) {
      if (!this.#isFailing && !this.#isStopped) watcher.readFailed(fault);
      this.#isFailing = true;
    }
  }

  #apply(switches: SwitchesInForce): void {
    if (this.#isStopped) return;
    this.#switches = switches;
    this.#options.watcher.changed(switches);
    for (const listener of [...this.#listeners]) listener();
    this.#firstRead.resolve();
  }
}
