// Watches the health of an exchange like an operator: polls a gateway, and follows the operators'
// topic. Records which alarms it has seen.

import { setTimeout as delay } from 'node:timers/promises';
import { runbookOf } from '../../../features/health/index.ts';
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import type { PersonOverHttp } from '../../identity/person-over-http.ts';
import { StreamProbe } from '../../stream/stream-probe.ts';
import type { StagedFault } from './staged-fault.ts';

export interface ShownAlarm {
  readonly name: string;
  readonly object: string;
  readonly severity: string;
  readonly detail: string;
  readonly runbook: string;
}

type Wanted = Pick<StagedFault, 'alarm' | 'object' | 'or'>;

const POLL_EVERY_MS = 50;
const REOPEN_AFTER_MS = 250;

export const alarmText = ({ name, object }: Pick<ShownAlarm, 'name' | 'object'>): string =>
  `${name} ${object}`.trim();

export class HealthWatch {
  readonly #sandbox: Sandbox;
  readonly #operator: PersonOverHttp;
  /** Gateway to query. */
  at: 0 | 1 = 0;
  #open: readonly ShownAlarm[] | undefined;
  /** Alarms in the last message on the stream; undefined while it is not connected. */
  #openOnStream: readonly ShownAlarm[] | undefined;
  readonly #seen = new Map<string, ShownAlarm>();
  #isStopped = false;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(sandbox: Sandbox, operator: PersonOverHttp) {
    this.#sandbox = sandbox;
    this.#operator = operator;
  }

  start(): void {
    this.#ended = Promise.all([this.#poll(), this.#listen()]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  /** Undefined if the gateway did not respond. */
  get open(): readonly ShownAlarm[] | undefined {
    return this.#open;
  }

  /** Returns every alarm since the last call. */
  takeSeen(): ShownAlarm[] {
    const seen = [...this.#seen.values()];
    this.#seen.clear();
    return seen;
  }

  find(wanted: Wanted): ShownAlarm | undefined {
    return this.#open?.find((one) => isWanted(one, wanted));
  }

  isOnStream(wanted: Wanted): boolean {
    return this.#openOnStream?.some((one) => isWanted(one, wanted)) ?? false;
  }

  /** Resolves when only these are open, in one answer. */
  untilOnly(standing: ReadonlySet<string>, timeoutMs: number): Promise<void> {
    const rest = (): string[] =>
      (this.#open ?? []).map(alarmText).filter((one) => !standing.has(one));
    return waitUntil({
      what: 'no alarm is open',
      timeoutMs,
      question: () => this.#open !== undefined && rest().length === 0,
    }).catch((fault) => {
      const open = this.#open === undefined ? 'the gateway does not respond' : rest().join(', ');
      throw new Error(`still open: ${open}`, { cause: fault });
    });
  }

  async #poll(): Promise<void> {
    while (!this.#isStopped) {
      const answer = await this.#operator
        .send('GET', '/admin/health', { at: this.at })
        .catch(() => undefined);
      this.#open = answer?.status === 200 ? answer.body.alarms : undefined;
      for (const alarm of this.#open ?? []) this.#seen.set(alarmText(alarm), alarm);
      await delay(POLL_EVERY_MS);
    }
  }

  /** Reconnects whenever the stream gateway closes the connection. */
  async #listen(): Promise<void> {
    while (!this.#isStopped) {
      const [url] = this.#sandbox.streamUrls;
      const probe = await StreamProbe.open(url, this.#operator.headers).catch(() => undefined);
      if (probe === undefined) {
        await delay(REOPEN_AFTER_MS);
        continue;
      }
      probe.subscribe('admin');
      while (!this.#isStopped && probe.closedWith === undefined) {
        const last = probe.received.findLast(({ topic }) => topic === 'health');
        this.#openOnStream = last?.data.alarms ?? this.#openOnStream;
        probe.received.length = 0;
        if (last === undefined) await delay(POLL_EVERY_MS);
      }
      this.#openOnStream = undefined;
      probe.close();
    }
  }
}

function isWanted({ name, object, runbook }: ShownAlarm, wanted: Wanted): boolean {
  const isNamed = name === wanted.alarm || wanted.or?.includes(name) === true;
  return isNamed && object.includes(wanted.object) && runbook === runbookOf(name);
}
