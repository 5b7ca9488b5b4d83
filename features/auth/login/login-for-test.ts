// Tests' logins on a real PostgreSQL with a clock that tests advance, countries by address, and a
// hasher that only counts. Only tests import it.

import { createHash } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import type { Pool } from '../../../infra/postgres/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ReadMail, readLastMail } from '../../../testing/identity/read-mails.ts';
import type { NewUser } from '../../accounts/users.ts';
import { issueCode } from '../codes.ts';
import { replaceRecoveryCodes } from '../factors/recovery-codes.ts';
import { activateTotp, requestTotp, totpCode } from '../factors/totp.ts';
import { flowOf } from '../flows.ts';
import { type PasswordTag, passwordTagText } from '../passwords/password-hasher.ts';
import { installPassword } from '../passwords/passwords.ts';
import type { IdentityClient } from '../person-context.ts';
import { clientAt, makeUser, openRegistryForTest, vault } from '../registry-for-test.ts';
import { Captcha } from '../sign-up/captcha.ts';
import { logIn, type PasswordLogin, type PasswordLoginPorts } from './login.ts';

export const PASSWORD = 'correct horse battery';
export const [GERMAN, FRENCH, BLOCKED] = ['192.0.2.1', '198.51.100.1', '203.0.113.1'];

export interface Person {
  readonly user: UserId;
  readonly email: string;
}

/** Counts hashes; the tag is a simple hash, so a test can create thousands. */
class CountingHasher {
  hashes = 0;
  /** Runs once, while the next password is compared. */
  meanwhile: (() => Promise<unknown>) | undefined;

  async hash(password: string): Promise<PasswordTag> {
    this.hashes += 1;
    return fakeTag(password);
  }

  async verify(password: string, tag: PasswordTag | undefined): Promise<boolean> {
    this.hashes += 1;
    const { meanwhile } = this;
    this.meanwhile = undefined;
    await meanwhile?.();
    return tag !== undefined && Buffer.compare(fakeTag(password).tag, tag.tag) === 0;
  }
}

export class LoginStage {
  readonly pool: Pool;
  /** Ahead of the server's clock, which dates new users. */
  readonly clock = new FakeClock(Date.now() + 600_000);
  readonly hasher = new CountingHasher();
  readonly ports: PasswordLoginPorts;
  readonly close: () => Promise<void>;
  #people = 0;

  static async open(): Promise<LoginStage> {
    const { close, pool } = await openRegistryForTest();
    return new LoginStage(pool, close);
  }

  private constructor(pool: Pool, close: () => Promise<void>) {
    this.pool = pool;
    this.close = close;
    this.ports = {
      registry: pool,
      vault,
      clock: this.clock,
      exchange: { name: 'Rialto' },
      identity: {
        countries: { countryOf },
        hasher: this.hasher,
        captcha: new Captcha({ kind: 'proof_of_work', vault, difficulty: 4 }),
        login: {
          blockedCountries: new Set(['KP']),
          attemptsPerAddressMax: 10,
          isOperatorAddress: (address) => address === GERMAN,
          operatorsNeedFactor: true,
        },
      },
    };
  }

  get nowMs(): number {
    return this.clock.nowMs();
  }

  /** Creates a user with a password. */
  async person(change: Partial<NewUser> = {}): Promise<Person> {
    this.#people += 1;
    const email = `person${this.#people}@example.com`;
    const user = await makeUser(this.pool, { email, ...change });
    await installPassword(this.pool, vault, user, fakeTag(PASSWORD));
    return { user, email };
  }

  /** Creates a user signed up with the usual password, from GERMAN. */
  async unverified(): Promise<Person> {
    const person = await this.person({ state: 'unverified' });
    await this.pool.query('delete from passwords where user_id = $1', [person.user]);
    await this.codeWithPassword(person);
    return person;
  }

  /** Returns the code of a sign-up with the usual password. */
  codeWithPassword({ user }: Person): Promise<string> {
    return issueCode(this.pool, vault, {
      user,
      purpose: 'verify_email',
      form: 'v2',
      flow: flowOf(clientAt(GERMAN)),
      payload: passwordTagText(fakeTag(PASSWORD)),
    });
  }

  /** Returns the secret for one-time passwords. The next code is from another step. */
  async enableOtp({ user }: Person): Promise<string> {
    const requested = await requestTotp(this.pool, vault, { user, nowMs: this.nowMs });
    if (requested instanceof Refused) throw new Error(requested.key);
    const { secret } = requested;
    const code = totpCode(secret, this.nowMs);
    await activateTotp(this.pool, vault, { user, code, nowMs: this.nowMs });
    this.clock.advance(60_000);
    return secret;
  }

  otp(secret: string): string {
    return totpCode(secret, this.nowMs);
  }

  recoveryCodes({ user }: Person): Promise<readonly string[]> {
    return replaceRecoveryCodes(this.pool, user);
  }

  async addPasskey({ user }: Person): Promise<void> {
    await this.pool.query(
      `insert into passkeys (user_id, credential_id, public_key) values ($1, $2, '\\x00')`,
      [user, `credential of ${user}`],
    );
  }

  /** Returns the result as one word: `opened`, or the error key. */
  async logIn(email: string, change: Partial<PasswordLogin> = {}): Promise<string> {
    const answer = await this.attempt(email, change);
    return answer.kind === 'opened' ? 'opened' : answer.refusal;
  }

  attempt(email: string, change: Partial<PasswordLogin> = {}) {
    return logIn(this.ports, {
      email,
      password: PASSWORD,
      code: '',
      captcha: '',
      longTerm: false,
      client: clientAt(GERMAN),
      ...change,
    });
  }

  /** Kinds of emails to a user, newest last. */
  async mails({ user }: Person): Promise<readonly string[]> {
    const { rows } = await this.pool.query(
      'select kind from mail_outbox where user_id = $1 order by id',
      [user],
    );
    return rows.map(({ kind }) => kind as string);
  }

  lastMail({ user }: Person): Promise<ReadMail> {
    return readLastMail(this.pool, vault, { user });
  }

  /** Outcomes of a user's recorded logins, newest last. */
  async outcomes({ user }: Person): Promise<readonly string[]> {
    const { rows } = await this.pool.query(
      'select outcome from logins where user_id = $1 order by id',
      [user],
    );
    return rows.map(({ outcome }) => outcome as string);
  }

  /** Failure count of a counter; 0 without one. */
  async failures(scope: string, subject: string): Promise<number> {
    const { rows } = await this.pool.query(
      'select failures from login_throttles where scope = $1 and subject_mac = $2',
      [scope, vault.mac(`throttle ${scope}`, subject)],
    );
    return rows.length === 0 ? 0 : Number(rows[0].failures);
  }

  async knownDevice({ user }: Person): Promise<number> {
    const { rows } = await this.pool.query(
      'select id from devices where user_id = $1 and revoked_at is null order by id desc limit 1',
      [user],
    );
    return Number(rows[0].id);
  }

  async liveSessions({ user }: Person): Promise<number> {
    const { rows } = await this.pool.query(
      'select count(*) from sessions where user_id = $1 and revoked_at is null',
      [user],
    );
    return Number(rows[0].count);
  }
}

export function fakeTag(password: string): PasswordTag {
  const tag = createHash('sha256').update(password).digest();
  return { salt: Buffer.alloc(16), memory: 19_456, passes: 2, lanes: 1, tag };
}

export function browser(address: string, change: Partial<IdentityClient> = {}): IdentityClient {
  return clientAt(address, { isBrowserApp: true, ...change });
}

const COUNTRIES = new Map([
  ['192.0.2.', 'DE'],
  ['198.51.100.', 'FR'],
  ['203.0.113.', 'KP'],
]);

function countryOf(address: string): string {
  return COUNTRIES.get(address.replace(/\d+$/, '')) ?? '';
}
