// Creates a registry and projected tables on a real PostgreSQL, with one coin and users who
// withdraw it. Tests settle the engine's outcomes themselves. Only tests import it.

import type { AssetId, Atoms, UserId } from '../../../core/money/index.ts';
import { migrate, openPool, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { type OutboxRow, readWaiting } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { settleRows } from '../../../testing/outbox/settle-rows.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { setTransactionLimit } from '../../accounts/index.ts';
import type { Flow } from '../../auth/index.ts';
import { PersonForTest } from '../../auth/person-for-test.ts';
import { vault } from '../../auth/registry-for-test.ts';
import { describeCoin } from '../../listings/index.ts';
import { describePolicySettings } from '../policy/policy-settings.ts';
import { type ConfirmedWithdrawal, confirmByMail } from './confirm-withdrawal.ts';
import {
  type OpenedWithdrawal,
  openWithdrawalFlow,
  type WantedWithdrawal,
} from './request-withdrawal.ts';
import type { RequestedAsset } from './requests.ts';
import type { WithdrawalTerms } from './withdrawal-terms.ts';

export const PROJECTIONS = 'rialto';
export const PORTS = { vault, projectionSchema: PROJECTIONS };
export const XRP: RequestedAsset = { id: 1 as AssetId, currency: 'xrp', scale: 6 };
const REGISTRY = 'registry';
const UNIT = 1_000_000n;

/** 10 xrp, with a tag. */
export const TERMS: WithdrawalTerms = {
  asset: XRP,
  amountAtoms: (10n * UNIT) as Atoms,
  feeAsset: XRP,
  feeAtoms: 100_000n as Atoms,
  address: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn:7',
  network: 'xrp',
};
export const OTHER_ADDRESS = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY:7';

export type OutboxRef = OpenedWithdrawal | Refused;

export class WithdrawalsForTest {
  readonly pool: Pool;
  readonly #stop: () => Promise<void>;

  static async open(): Promise<WithdrawalsForTest> {
    let stop: () => Promise<void> = async () => {};
    const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    const projections = await postgres.schema(PROJECTIONS);
    await projections.query(`insert into assets values ($1, 'xrp', 6, 1000000, now())`, [XRP.id]);
    await migrate(await postgres.session(REGISTRY), REGISTRY, readRegistryMigrations());
    const pool = openPool({ ...postgres.connection(REGISTRY), connectionsMax: 8 });
    const coin = { symbol: 'xrp', fullname: 'XRP', network: 'xrp', estimatedPrice: '1' };
    await describeCoin(pool, { ...coin, allowWithdrawal: true });
    const limit = { tier: 1, type: 'withdrawal', limitCurrency: 'xrp', currency: 'xrp' } as const;
    await setTransactionLimit(pool, { ...limit, amount: '1000', monthlyAmount: '5000' });
    await describePolicySettings(pool, { currency: 'xrp', perHourMax: 1_000 });
    return new WithdrawalsForTest(pool, stop);
  }

  constructor(pool: Pool, stop: () => Promise<void>) {
    this.pool = pool;
    this.#stop = stop;
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.#stop();
  }

  /** Creates a user with 100 xrp in the projected tables. */
  async person(user: Parameters<typeof PersonForTest.make>[1] = {}): Promise<PersonForTest> {
    const person = await PersonForTest.make(this.pool, user);
    await this.pool.query(`insert into ${PROJECTIONS}.balances values ($1, $2, $3, 0, now(), 1)`, [
      person.user,
      XRP.id,
      100n * UNIT,
    ]);
    return person;
  }

  request(
    person: PersonForTest,
    change: Partial<WithdrawalTerms> & Partial<WantedWithdrawal> = {},
    act = person.act(),
  ): Promise<OutboxRef> {
    const { form = 'v2', otpCode, ...terms } = change;
    const wanted = { terms: { ...TERMS, ...terms }, form, otpCode: otpCode ?? person.otp(act) };
    return person.do((connection) => openWithdrawalFlow(connection, PORTS, act, wanted));
  }

  /** Requests a withdrawal and returns the code from the email. */
  async mailed(
    person: PersonForTest,
    change: Partial<WithdrawalTerms> & Partial<WantedWithdrawal> = {},
  ): Promise<{ readonly id: number; readonly code: string }> {
    const requested = await this.request(person, change);
    if (requested instanceof Refused) throw new Error(`refused: ${requested.key}`);
    const { code } = (await person.lastMail('confirm_withdrawal')).values;
    return { id: requested.id, code };
  }

  /** Confirms like the gateway: a link without a session, everything else in one. */
  confirm(
    code: string,
    { nowMs = Date.now(), session = 0, user }: Sender = {},
  ): Promise<ConfirmedWithdrawal | Refused> {
    const flow: Flow = { network: '192.0.2.1', session };
    const confirmation = { code, flow, nowMs, ...(user !== undefined && { user }) };
    return withConnection(this.pool, (connection) =>
      confirmByMail(connection, PORTS, confirmation),
    );
  }

  /** Creates a withdrawal that is on hold and can be paid. */
  async approved(person: PersonForTest): Promise<number> {
    const { code, id } = await this.mailed(person);
    const confirmed = await this.confirm(code);
    if (confirmed instanceof Refused) throw new Error(`refused: ${confirmed.key}`);
    await this.settle();
    return id;
  }

  /** Accepts or rejects every pending command as the engine would. */
  async settle(refusal: 'none' | 'available_balance_too_small' = 'none'): Promise<OutboxRow[]> {
    const rows = await readWaiting(this.pool, 1_000);
    const state = refusal === 'none' ? 'accepted' : 'refused';
    const settled = rows.map((row) => {
      const { channel, sequence } = row;
      const outcome = { channel, sequence, state, refusal, frame: 9, command: 77 } as const;
      return { row, outcome };
    });
    await withConnection(this.pool, (connection) => settleRows(connection, settled));
    return rows;
  }

  async stateOf(id: number): Promise<string> {
    const text = 'select state from withdrawal_requests where id = $1';
    return (await this.pool.query(text, [id])).rows[0].state;
  }

  async requestsOf(user: UserId): Promise<string[]> {
    const text = 'select state from withdrawal_requests where user_id = $1 order by id';
    return (await this.pool.query(text, [user])).rows.map(({ state }) => state);
  }

  async commandsWaiting(): Promise<string[]> {
    return (await readWaiting(this.pool, 1_000)).map(({ command }) => command.kind);
  }
}

export interface Sender {
  readonly session?: number;
  /** For a short code, the user of the session; 0 without one. */
  readonly user?: UserId | 0;
  readonly nowMs?: number;
}
