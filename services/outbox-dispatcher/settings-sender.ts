// Sends user settings to the engine: group, fee tier, discount. The commands set values, so a
// repeated copy changes nothing, and an unknown outcome is sent again. Only the active dispatcher
// must call it.

import type { Command, Refusal } from '../../core/messages/index.ts';
import {
  markSettingsSent,
  readUnsentSettings,
  type UnsentSettings,
} from '../../features/accounts/index.ts';
import type { CommandClient, Outcome } from '../../infra/command-link/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { Clock } from '../../infra/process/index.ts';

/** Maximum number of users whose settings are sent together. */
const USERS_MAX = 256;

export interface SettingsSenderOptions {
  readonly client: Pick<CommandClient, 'send' | 'nextId'>;
  readonly clock: Clock;
  readonly answerMs: number;
  /** Pause after all unsent rows were tried and the engine refused some. */
  readonly refusedMs: number;
  onSent(count: number): void;
  onRefused(settings: UnsentSettings, refusal: Refusal): void;
}

interface Answered {
  readonly settings: UnsentSettings;
  readonly outcomes: readonly Outcome[];
}

export class SettingsSender {
  readonly #options: SettingsSenderOptions;
  /** Last user in the previous round: refused rows must not keep others from being sent. */
  #after = 0;
  #hasRefused = false;
  #resumesAtMs = 0;

  constructor(options: SettingsSenderOptions) {
    this.#options = options;
  }

  async read(statements: Statements): Promise<UnsentSettings[]> {
    const { clock, refusedMs } = this.#options;
    if (clock.elapsedMs() < this.#resumesAtMs) return [];
    const rows = await readUnsentSettings(statements, { after: this.#after, limit: USERS_MAX });
    const isLast = rows.length < USERS_MAX;
    this.#after = isLast ? 0 : rows[USERS_MAX - 1].user;
    if (isLast && this.#hasRefused) {
      this.#hasRefused = false;
      this.#resumesAtMs = clock.elapsedMs() + refusedMs;
    }
    return rows;
  }

  send(rows: readonly UnsentSettings[]): Promise<Answered[]> {
    return Promise.all(
      rows.map(async (settings) => {
        const { discountPpm, group, isHouse, tier, user } = settings;
        const outcomes = await Promise.all([
          this.#ask({ kind: 'SetUserGroup', user, group, house: isHouse, ...this.#id() }),
          this.#ask({ kind: 'SetUserFees', user, tier, discountPpm, ...this.#id() }),
        ]);
        return { settings, outcomes };
      }),
    );
  }

  /** Returns how many rows the engine has accepted. */
  async record(statements: Statements, answered: readonly Answered[]): Promise<number> {
    const sent: UnsentSettings[] = [];
    for (const { outcomes, settings } of answered) {
      const refusals = outcomes.flatMap((outcome) =>
        outcome.kind === 'answered' ? [outcome.result.refusal] : [],
      );
      const refusal = refusals.find((one) => one !== 'none');
      if (refusal !== undefined) {
        this.#hasRefused = true;
        this.#options.onRefused(settings, refusal);
      } else if (refusals.length === outcomes.length) sent.push(settings);
    }
    if (sent.length === 0) return 0;
    await markSettingsSent(statements, sent);
    this.#options.onSent(sent.length);
    return sent.length;
  }

  #id(): { source: number; number: number } {
    return this.#options.client.nextId();
  }

  #ask(command: Command): Promise<Outcome> {
    const { answerMs, client } = this.#options;
    return new Promise((done) => client.send(command, answerMs, done));
  }
}
