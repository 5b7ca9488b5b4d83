// Drives a withdrawal through its steps, like its owner and an operator. A step without an answer
// is repeated at the other gateway until the request is in the expected state. The driver reads the
// request tables; the checks do not.

import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import type { RestAnswer } from '../../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { AnswerTally } from './answer-tally.ts';
import { ADDRESS, type DrillStage, type Person, SCALE } from './stage.ts';

export const STEPS = ['request', 'confirm', 'approve', 'claim', 'end'] as const;
export type Step = (typeof STEPS)[number];
export type End = 'completed' | 'canceled' | 'rejected';

export interface DrivenWithdrawal {
  readonly person: Person;
  /** With an API key, or in a session with an email confirmation. */
  readonly way: 'key' | 'session';
  readonly amountAtoms: Atoms;
  readonly end: End;
  /**
   * The request is signed once and stored under its signature, so copies do not create a second
   * one.
   */
  readonly expires: number;
}

interface Row {
  readonly id: number;
  readonly state: string;
  readonly transactionId: string;
}

const ARRIVES_WITHIN_MS = 60_000;
/** Longer than the driver tries, so an overloaded machine does not look like a lost request. */
const EXPIRES_AFTER_S = 120;

export class WithdrawalDriver {
  readonly #stage: DrillStage;
  #turn = 0;

  constructor(stage: DrillStage) {
    this.#stage = stage;
  }

  plan(planned: Omit<DrivenWithdrawal, 'expires'>): DrivenWithdrawal {
    return { ...planned, expires: Math.floor(Date.now() / 1_000) + EXPIRES_AFTER_S };
  }

  /** Resolves when the withdrawal has completed the step. */
  take(step: Step, withdrawal: DrivenWithdrawal): Promise<void> {
    const { end, way } = withdrawal;
    switch (step) {
      case 'request':
        return way === 'key'
          ? this.#until(withdrawal, HELD, (_row, at) => this.#request(withdrawal, at))
          : this.#until(withdrawal, ['unconfirmed'], (_row, at) =>
              this.#requestInSession(withdrawal, at),
            );
      case 'confirm':
        return this.#until(withdrawal, HELD, (_row, at) => this.#confirm(withdrawal, at));
      case 'approve':
        return this.#until(withdrawal, ['approved'], (row, at) => this.#approve(row!, at));
      case 'claim':
        // After that, it can no longer be canceled or rejected.
        if (end !== 'completed') return Promise.resolve();
        return this.#until(withdrawal, ['claimed'], (row, at) =>
          this.#review(row!, at, { processing: true }),
        );
      case 'end':
        return this.#until(withdrawal, [end], (row, at) => this.#end(row!, at, withdrawal));
    }
  }

  #request({ amountAtoms, expires, person }: DrivenWithdrawal, at: number): Promise<RestAnswer> {
    return person.clients[at].send({
      method: 'POST',
      target: '/v2/user/withdrawal',
      body: bodyOf(amountAtoms),
      expires,
    });
  }

  async #requestInSession(
    { amountAtoms, person }: DrivenWithdrawal,
    at: number,
  ): Promise<RestAnswer> {
    await this.#stage.provePasskey(person);
    return this.#stage.anyone[at].send({
      method: 'POST',
      target: '/v2/user/request-withdrawal',
      body: { ...bodyOf(amountAtoms), version: 'v2' },
      headers: person.session,
    });
  }

  /** Confirms with the code from the last email, as soon as it has arrived. */
  async #confirm({ person }: DrivenWithdrawal, at: number): Promise<RestAnswer | undefined> {
    const token = this.#stage.mails.codeOf(person.email);
    if (token === undefined) return;
    return this.#stage.anyone[at].post('/user/confirm-withdrawal', { token });
  }

  #end(row: Row, at: number, { end, person }: DrivenWithdrawal): Promise<RestAnswer> {
    if (end === 'rejected') return this.#review(row, at, { rejected: true });
    if (end === 'completed') {
      const paid = `paid-${row.id}`;
      return this.#review(row, at, { status: true, updated_transaction_id: paid });
    }
    const target = `/v2/user/withdrawal?id=${row.id}`;
    return this.#stage.anyone[at].send({ method: 'DELETE', target, headers: person.session });
  }

  async #approve({ transactionId }: Row, at: number): Promise<RestAnswer> {
    const { anyone, approver, provePasskey } = this.#stage;
    await provePasskey(approver);
    const body = { transaction_id: transactionId, waiting: false, otp_code: '' };
    const target = '/v2/admin/burn';
    return anyone[at].send({ method: 'PUT', target, headers: approver.session, body });
  }

  #review({ transactionId }: Row, at: number, change: object): Promise<RestAnswer> {
    const body = { transaction_id: transactionId, ...change };
    return this.#stage.operators[at].put('/admin/burn', body);
  }

  /** Repeats the action until the request is in one of the states. */
  async #until(
    withdrawal: DrivenWithdrawal,
    states: readonly string[],
    act: (row: Row | undefined, gateway: number) => Promise<RestAnswer | undefined>,
  ): Promise<void> {
    const answers = new AnswerTally();
    let turn = this.#turn++;
    const question = async () => {
      const row = await this.#row(withdrawal);
      if (row !== undefined && states.includes(row.state)) return true;
      // The engine has not answered yet.
      if (row !== undefined && ASKED.has(row.state)) return false;
      turn += 1;
      // A killed gateway sends no answer, or half of one.
      const answer = await act(row, turn % 2).catch((fault: Error) => fault);
      if (answer !== undefined) answers.add(`gateway ${(turn % 2) + 1}`, answer);
      return false;
    };
    const what = `the withdrawal is ${states.join(' or ')}`;
    await waitUntil({ what, question, timeoutMs: ARRIVES_WITHIN_MS }).catch(async (cause) => {
      const found = JSON.stringify(await this.#row(withdrawal));
      const all = JSON.stringify(answers);
      throw new Error(`${withdrawal.way} ${found}, answers ${all}`, { cause });
    });
  }

  /** Returns the latest row, because a request in a session replaces the previous one. */
  async #row({ amountAtoms, person }: DrivenWithdrawal): Promise<Row | undefined> {
    const { rows } = await this.#stage.sandbox.admin.registry.query(
      `select id, state, transaction_id from withdrawal_requests
       where user_id = $1 and amount_atoms = $2 order by id desc limit 1`,
      [person.user, amountAtoms],
    );
    return rows.map((row) => ({
      id: Number(row.id),
      state: row.state,
      transactionId: row.transaction_id,
    }))[0];
  }
}

const HELD = ['in_review', 'approved'];
const ASKED = new Set(['opening', 'completing', 'canceling', 'rejecting']);

function bodyOf(amountAtoms: Atoms) {
  const amount = decimalFromAtoms(amountAtoms, SCALE);
  return { currency: 'btc', network: 'btc', address: ADDRESS, amount };
}
