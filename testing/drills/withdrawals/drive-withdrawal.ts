// Drives a withdrawal through its steps, as its owner and an operator do. A step without an answer
// is taken again at the other gateway until the request is where it should be. The driver looks at
// the tables of requests; the judges do not.

import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { ADDRESS, type DrillStage, type Person, SCALE } from './stage.ts';

export const STEPS = ['request', 'approve', 'claim', 'end'] as const;
export type Step = (typeof STEPS)[number];
export type End = 'completed' | 'canceled' | 'rejected';

export interface DrivenWithdrawal {
  readonly amountAtoms: Atoms;
  readonly end: End;
  /** The signature of the request is valid once: asking again cannot make a second one. */
  readonly expires: number;
}

interface Row {
  readonly id: number;
  readonly state: string;
  readonly transactionId: string;
}

const ARRIVES_WITHIN_MS = 60_000;
const EXPIRES_AFTER_S = 50;

export class WithdrawalDriver {
  readonly #stage: DrillStage;
  readonly #person: Person;
  /** Of the person's session, one per gateway: keys do not cancel. */
  readonly #headers: Readonly<Record<string, string>>;
  #turn = 0;

  static async create(stage: DrillStage, person: Person): Promise<WithdrawalDriver> {
    const { token } = await stage.sandbox.admin.issueSession({ user: person.user });
    return new WithdrawalDriver(stage, person, `Bearer ${token}`);
  }

  constructor(stage: DrillStage, person: Person, authorization: string) {
    this.#stage = stage;
    this.#person = person;
    this.#headers = { authorization };
  }

  plan(
    { amountAtoms, end }: Pick<DrivenWithdrawal, 'amountAtoms' | 'end'>,
    all: DrivenWithdrawal[],
  ): DrivenWithdrawal {
    const expires = Math.floor(Date.now() / 1_000) + EXPIRES_AFTER_S;
    const withdrawal = { amountAtoms, end, expires };
    all.push(withdrawal);
    return withdrawal;
  }

  /** Resolves when the withdrawal has taken the step. */
  take(step: Step, withdrawal: DrivenWithdrawal): Promise<void> {
    const { end } = withdrawal;
    switch (step) {
      case 'request':
        return this.#until(withdrawal, ['in_review', 'approved'], (_row, at) =>
          this.#request(withdrawal, at),
        );
      case 'approve':
        return this.#until(withdrawal, ['approved'], (row, at) =>
          this.#review(row!, at, { waiting: false }),
        );
      case 'claim':
        // Nobody can cancel or reject it after that.
        if (end !== 'completed') return Promise.resolve();
        return this.#until(withdrawal, ['claimed'], (row, at) =>
          this.#review(row!, at, { processing: true }),
        );
      case 'end':
        return this.#until(withdrawal, [end], (row, at) => this.#end(row!, at, end));
    }
  }

  #request({ amountAtoms, expires }: DrivenWithdrawal, at: number): Promise<unknown> {
    const amount = decimalFromAtoms(amountAtoms, SCALE);
    return this.#person.clients[at].send({
      method: 'POST',
      target: '/v2/user/withdrawal',
      body: { currency: 'btc', network: 'btc', address: ADDRESS, amount },
      expires,
    });
  }

  #end(row: Row, at: number, end: End): Promise<unknown> {
    if (end === 'rejected') return this.#review(row, at, { rejected: true });
    if (end === 'completed') {
      const paid = `paid-${row.id}`;
      return this.#review(row, at, { status: true, updated_transaction_id: paid });
    }
    const client = new RestClient({ url: this.#stage.sandbox.urls[at] });
    const target = `/v2/user/withdrawal?id=${row.id}`;
    return client.send({ method: 'DELETE', target, headers: this.#headers });
  }

  #review({ transactionId }: Row, at: number, change: object): Promise<unknown> {
    const body = { transaction_id: transactionId, ...change };
    return this.#stage.operators[at].put('/admin/burn', body);
  }

  /** Acts, also again, until the request is in one of the states. */
  async #until(
    withdrawal: DrivenWithdrawal,
    states: readonly string[],
    act: (row: Row | undefined, gateway: number) => Promise<unknown>,
  ): Promise<void> {
    await waitUntil({
      what: `the withdrawal is ${states.join(' or ')}`,
      timeoutMs: ARRIVES_WITHIN_MS,
      question: async () => {
        const row = await this.#row(withdrawal);
        if (row !== undefined && states.includes(row.state)) return true;
        // The engine has not answered yet.
        if (row !== undefined && ASKED.has(row.state)) return false;
        this.#turn += 1;
        // A gateway that was killed gives no answer, or half of one.
        await act(row, this.#turn % 2).catch(() => {});
        return false;
      },
    });
  }

  async #row({ amountAtoms }: DrivenWithdrawal): Promise<Row | undefined> {
    const { rows } = await this.#stage.sandbox.admin.registry.query(
      `select id, state, transaction_id from withdrawal_requests
       where user_id = $1 and amount_atoms = $2 order by id limit 1`,
      [this.#person.user, amountAtoms],
    );
    return rows.map((row) => ({
      id: Number(row.id),
      state: row.state,
      transactionId: row.transaction_id,
    }))[0];
  }
}

const ASKED = new Set(['opening', 'completing', 'canceling', 'rejecting']);
