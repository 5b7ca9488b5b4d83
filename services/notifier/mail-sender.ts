// Sends the emails in the outbox. A round writes emails for new changes, leases rows and passes
// them to the transport. Each result is recorded as soon as it is known. The process can be killed
// at any instruction.

import {
  type DeferralRules,
  deferMail,
  type LeasedMail,
  leaseMails,
  type MailBacklog,
  mailBacklog,
  settleMail,
} from '../../features/messages/index.ts';
import {
  type DatabaseWatcher,
  isPassingFault,
  type Statements,
} from '../../infra/postgres/index.ts';
import { type Clock, RetryLoop } from '../../infra/process/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { composeMail, type MailIdentity, type MailTransport } from './mail-transport.ts';

export interface MailSenderOptions {
  readonly clock: Clock;
  readonly statements: Statements;
  readonly vault: Vault;
  readonly transport: MailTransport;
  /** Writes emails for new changes. Returns how many it has processed. */
  writeMails(): Promise<number>;
  readonly identity: MailIdentity;
  /** While true, emails are queued. */
  isIntakeStopped(): boolean;
  readonly settings: MailSenderSettings;
  readonly watcher: MailWatcher;
  onFault(reason: string, cause?: unknown): void;
}

export interface MailSenderSettings {
  /** Interval between polls of an empty outbox. */
  readonly pollMs: number;
  /** How many emails are sent at the same time. */
  readonly atOnceMax: number;
  /** An email without a recorded result after this time is leased again. */
  readonly leaseMs: number;
  readonly deferral: DeferralRules;
  /** Interval between backlog reports. */
  readonly reportMs: number;
  /** Pauses while PostgreSQL is down. */
  readonly retryMs: number;
  readonly retryMsMax: number;
}

export interface MailWatcher extends DatabaseWatcher {
  /** `waitedMs`: milliseconds since its cause. */
  sent(mail: LeasedMail, waitedMs: number): void;
  deferred(mail: LeasedMail, error: string): void;
  failed(mail: LeasedMail, error: string): void;
  /** They expired before they could be sent. */
  expired(count: number): void;
  /** Two notifiers were killed while sending them; it is unknown whether they arrived. */
  lost(count: number): void;
  backlog(backlog: MailBacklog): void;
}

const ADDRESS_NOT_VALID = 'address not valid';
const NOT_OPENED = 'sealed values do not open';

/** sending: rounds, while PostgreSQL is up. stopped. */
export class MailSender {
  readonly #options: MailSenderOptions;
  readonly #retries: RetryLoop;
  readonly #ended: Promise<void>;
  readonly #underWay = new Set<Promise<void>>();
  /** Results of attempts that PostgreSQL could not record yet. */
  #unrecorded: (() => Promise<void>)[] = [];
  #reportDueMs = 0;

  constructor(options: MailSenderOptions) {
    this.#options = options;
    const { clock, settings, watcher } = options;
    this.#retries = new RetryLoop({
      clock,
      retryMs: settings.retryMs,
      retryMsMax: settings.retryMsMax,
      isRetryable: isPassingFault,
      onDown: (fault) => watcher.databaseDown(fault),
      onUp: () => watcher.databaseUp(),
    });
    this.#ended = this.#run().catch((fault: unknown) => this.#fail(fault));
  }

  get isDatabaseUp(): boolean {
    return !this.#retries.isDown;
  }

  get mailsUnderWay(): number {
    return this.#underWay.size;
  }

  /** Called when a switch has changed, because emails might be allowed again. */
  obeySwitches(): void {
    this.#retries.endPause();
  }

  /** Resolves when the emails in progress are sent and recorded. */
  async stop(): Promise<void> {
    this.#retries.stop();
    await this.#ended;
    await Promise.all(this.#underWay);
    await this.#recordAgain().catch(() => {});
  }

  async #run(): Promise<void> {
    const { pollMs } = this.#options.settings;
    while (!this.#retries.isStopped) {
      const leased = await this.#retries.run(() => this.#round());
      if (leased === 0 || this.#freePlaces() === 0) await this.#retries.pause(pollMs);
    }
  }

  #freePlaces(): number {
    return this.#options.settings.atOnceMax - this.#underWay.size;
  }

  /** Returns 0 if there was nothing to do. Waits for no email, so slow ones do not delay others. */
  async #round(): Promise<number> {
    const { settings, statements, vault, watcher, writeMails } = this.#options;
    await this.#recordAgain();
    await this.#report();
    if (this.#options.isIntakeStopped()) return 0;
    const written = await writeMails();
    const max = this.#freePlaces();
    if (max === 0) return 0;
    const { leaseMs } = settings;
    const { expired, lost, mails } = await leaseMails(statements, vault, { leaseMs, max });
    if (expired > 0) watcher.expired(expired);
    if (lost > 0) watcher.lost(lost);
    for (const mail of mails) this.#start(mail);
    return mails.length + expired + lost + written;
  }

  #start(mail: LeasedMail): void {
    const delivery = this.#deliver(mail)
      .catch((fault: unknown) => this.#fail(fault))
      .finally(() => {
        const wasFull = this.#freePlaces() === 0;
        this.#underWay.delete(delivery);
        if (wasFull) this.#retries.endPause();
      });
    this.#underWay.add(delivery);
  }

  async #deliver(mail: LeasedMail): Promise<void> {
    const { identity, transport } = this.#options;
    const { sealed } = mail;
    // The operator can still add the missing key.
    if (sealed === undefined) return this.#record(() => this.#defer(mail, NOT_OPENED));
    const composed = composeMail({ ...mail, sealed }, identity);
    if (composed === undefined) return this.#record(() => this.#refuse(mail, ADDRESS_NOT_VALID));
    const outcome = await transport.send(composed);
    if (outcome.kind === 'sent') return this.#record(() => this.#settle(mail));
    const end = outcome.kind === 'deferred' ? this.#defer : this.#refuse;
    return this.#record(() => end.call(this, mail, outcome.error));
  }

  async #settle(mail: LeasedMail): Promise<void> {
    const { clock, statements, watcher } = this.#options;
    await settleMail(statements, mail.id, { state: 'sent' });
    watcher.sent(mail, clock.nowMs() - mail.createdAt.getTime());
  }

  async #refuse(mail: LeasedMail, error: string): Promise<void> {
    const { statements, watcher } = this.#options;
    await settleMail(statements, mail.id, { state: 'failed', error });
    watcher.failed(mail, error);
  }

  async #defer(mail: LeasedMail, error: string): Promise<void> {
    const { settings, statements, watcher } = this.#options;
    const state = await deferMail(statements, mail, { error, rules: settings.deferral });
    if (state === 'failed') watcher.failed(mail, error);
    else watcher.deferred(mail, error);
  }

  async #record(end: () => Promise<void>): Promise<void> {
    try {
      await end();
    } catch (fault) {
      if (!isPassingFault(fault)) throw fault;
      this.#unrecorded.push(end);
    }
  }

  // Recording twice is harmless: the second statement finds no row that is being sent.
  async #recordAgain(): Promise<void> {
    while (this.#unrecorded.length > 0) {
      await this.#unrecorded[0]();
      this.#unrecorded = this.#unrecorded.slice(1);
    }
  }

  async #report(): Promise<void> {
    const { clock, settings, statements, watcher } = this.#options;
    if (clock.elapsedMs() < this.#reportDueMs) return;
    this.#reportDueMs = clock.elapsedMs() + settings.reportMs;
    watcher.backlog(await mailBacklog(statements));
  }

  #fail(fault: unknown): void {
    if (this.#retries.isStopped) return;
    this.#retries.stop();
    this.#options.onFault(fault instanceof Error ? fault.message : String(fault), fault);
  }
}
