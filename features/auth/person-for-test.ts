// A logged-in user with a one-time password, for tests of account actions. Reads the codes from the
// emails. Only tests import it.

import { randomBytes } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { type Connection, type Pool, withConnection } from '../../infra/postgres/index.ts';
import { type ReadMail, readMails } from '../../testing/identity/read-mails.ts';
import type { NewUser } from '../accounts/users.ts';
import { requestConfirmation } from './api-keys.ts';
import { totpBound, totpCode } from './factors/totp.ts';
import type { PersonContext, Proofs } from './person-context.ts';
import { makeUser, vault } from './registry-for-test.ts';

const SECRET = Buffer.alloc(20);
/** The same in base32. */
const SECRET_TEXT = 'A'.repeat(32);
const STEP_MS = 30_000;

export class PersonForTest {
  readonly user: UserId;
  readonly session: number;
  readonly #pool: Pool;
  #nowMs = Date.now();

  static async make(
    pool: Pool,
    { hasOtp = true, ...user }: Partial<NewUser> & { readonly hasOtp?: boolean } = {},
  ): Promise<PersonForTest> {
    const id = await makeUser(pool, user);
    if (hasOtp) {
      const { kekId, sealed } = vault.seal(totpBound(id), SECRET);
      await pool.query(
        `insert into totp_secrets (user_id, kek_id, sealed_secret, state)
         values ($1, $2, $3, 'active')`,
        [id, kekId, sealed],
      );
    }
    const scopes = user.role === undefined ? ['user'] : ['user', user.role];
    return new PersonForTest(pool, id, await makeSession(pool, id, scopes));
  }

  constructor(pool: Pool, user: UserId, session: number) {
    this.#pool = pool;
    this.user = user;
    this.session = session;
  }

  /** Returns the same user in another session. */
  in(session: number): PersonForTest {
    return new PersonForTest(this.#pool, this.user, session);
  }

  /** Each action is later than the previous one, so its one-time password differs. */
  act(): PersonContext {
    this.#nowMs += 2 * STEP_MS;
    const time = new Date(this.#nowMs).toISOString();
    return {
      user: this.user,
      nowMs: this.#nowMs,
      flow: { network: '192.0.2.1', session: this.session },
      circumstances: { time, ip: '192.0.2.1', country: '', device: 'test', freezeToken: 'freeze' },
    };
  }

  otp({ nowMs }: PersonContext): string {
    return totpCode(SECRET_TEXT, nowMs);
  }

  /** Returns an action with valid proofs. */
  async proven(): Promise<{ readonly act: PersonContext; readonly proofs: Proofs }> {
    const act = this.act();
    const emailCode = await this.confirmation();
    return { act, proofs: { otpCode: this.otp(act), emailCode } };
  }

  async confirmation(): Promise<string> {
    const refusal = await this.do((connection) =>
      requestConfirmation(connection, vault, this.act()),
    );
    if (refusal !== undefined) throw new Error(`no confirmation: ${JSON.stringify(refusal)}`);
    return (await this.lastMail('confirm_action')).values.code;
  }

  do<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return withConnection(this.#pool, work);
  }

  /** Returns the emails caused by this user, newest first. */
  async mails(): Promise<ReadMail[]> {
    const own = await readMails(this.#pool, vault, { user: this.user });
    const others = await readMails(this.#pool, vault, { user: null });
    return [...own, ...others].toSorted((one, other) => other.id - one.id);
  }

  async lastMail(kind: string): Promise<ReadMail> {
    const found = (await this.mails()).find((mail) => mail.kind === kind);
    if (found === undefined) throw new Error(`no mail of kind ${kind}`);
    return found;
  }
}

export async function makeSession(
  pool: Pool,
  user: UserId,
  scopes: readonly string[] = ['user'],
  { kind = 'login', strongAt = null as Date | null } = {},
): Promise<number> {
  const { rows } = await pool.query(
    `insert into sessions (user_id, token_hash, scopes, expires_at, kind, strong_at)
     values ($1, $2, $3, now() + interval '1 day', $4, $5) returning id`,
    [user, randomBytes(32), scopes, kind, strongAt],
  );
  return Number(rows[0].id);
}
