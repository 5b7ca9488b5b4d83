// Stage of the drill: a real exchange with two gateways, a dispatcher, a notifier and an SMTP
// server, users with withdrawal keys, and everything that the stream and the mail server received.

import { type Atoms, atomsFromDecimal, type UserId } from '../../../core/money/index.ts';
import { createUser } from '../../../features/accounts/index.ts';
import { describePolicySettings } from '../../../features/payments/index.ts';
import { type SmtpForTest, startSmtpForTest } from '../../../services/notifier/smtp-for-test.ts';
import { exactly } from '../../../tools/sandbox/listing-commands.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import type { ApiKey } from '../../../tools/sandbox/sandbox-admin.ts';
import { MailTally } from './mail-tally.ts';
import { NoticeTally } from './notice-tally.ts';

/** A valid address that no user here owns. */
export const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
export const SCALE = 8;
export const FEE_ATOMS = atoms('0.0005');

/** A killed notifier's email is sent again after this time. */
const MAIL_LEASE_MS = 2_000;
const ENOUGH = '1000000000';

export interface Person {
  readonly user: UserId;
  readonly email: string;
  /** With a withdrawal key, one per gateway. */
  readonly clients: readonly RestClient[];
  /** Headers of the user's session. */
  readonly session: Readonly<Record<string, string>>;
}

export interface DrillStage {
  readonly sandbox: Sandbox;
  readonly mails: MailTally;
  readonly notices: NoticeTally;
  /** The administrator's clients, one per gateway. */
  readonly operators: readonly RestClient[];
  /** A supervisor, whose only factor is a passkey. */
  readonly approver: Pick<Person, 'user' | 'session'>;
  /** A client without a key, one per gateway. */
  readonly anyone: readonly RestClient[];
  /** Creates users with this much bitcoin each. */
  people(count: number, btc: string): Promise<Person[]>;
  /** Adds a passkey proof to the user's session, which serves one withdrawal. */
  provePasskey(person: Pick<Person, 'user'>): Promise<void>;
  stop(): Promise<void>;
}

export async function openStage(): Promise<DrillStage> {
  const mails = new MailTally();
  const smtp: SmtpForTest = await startSmtpForTest({ onMessage: (mail) => mails.add(mail) });
  const sandbox = await startSandbox({
    gateways: 2,
    withNotifier: true,
    checkAnswers: false,
    logLevel: 'warn',
    notifierSettings: {
      RIALTO_SMTP_URL: smtp.url,
      RIALTO_MAIL_POLL_MS: '50',
      RIALTO_MAIL_LEASE_MS: String(MAIL_LEASE_MS),
    },
  }).catch(async (fault: unknown) => {
    await smtp.stop();
    throw fault;
  });
  const { admin, seeded, urls } = sandbox;
  // Only the number of withdrawals within an hour requires a review.
  await describePolicySettings(admin.registry, {
    oneReviewFrom: ENOUGH,
    twoReviewsFrom: ENOUGH,
    newAddressFrom: ENOUGH,
    freshFundsFrom: ENOUGH,
    outflowPerHourMax: ENOUGH,
  });
  const supervisor = await makeSupervisor(sandbox);
  const clientsOf = ({ key, secret }: Pick<ApiKey, 'key' | 'secret'>) =>
    urls.map((url) => new RestClient({ url, key, secret }));
  return {
    sandbox,
    mails,
    notices: new NoticeTally(admin.bus),
    operators: clientsOf(seeded.users.admin),
    approver: { user: supervisor, session: await signIn(supervisor, ['user', 'supervisor']) },
    anyone: urls.map((url) => new RestClient({ url })),
    people,
    provePasskey,
    async stop() {
      await sandbox.stop();
      await smtp.stop();
    },
  };

  async function people(count: number, btc: string): Promise<Person[]> {
    const traders = await sandbox.createTraders({ count, funds: { btc } });
    return Promise.all(
      traders.map(async ({ email, user }) => {
        const key = await admin.issueKey({ user, whitelistedIps: ['127.0.0.1'] });
        return { user, email, clients: clientsOf(key), session: await signIn(user) };
      }),
    );
  }

  /** The user's only factor is a passkey. */
  async function signIn(user: UserId, scopes = ['user']): Promise<Person['session']> {
    const { registry } = admin;
    await registry.query(
      'insert into passkeys (user_id, credential_id, public_key) values ($1, $2, $2)',
      [user, Buffer.from(`passkey of ${user}`)],
    );
    const { token } = await admin.issueSession({ user, scopes });
    return { authorization: `Bearer ${token}` };
  }

  async function provePasskey({ user }: Pick<Person, 'user'>): Promise<void> {
    await admin.registry.query('update sessions set strong_at = now() where user_id = $1', [user]);
  }
}

async function makeSupervisor({ admin }: Sandbox): Promise<UserId> {
  const email = 'approver@example.com';
  const made = await createUser(admin.registry, { email, role: 'supervisor' });
  if (typeof made === 'string') throw new Error(`user refused: ${made}`);
  // New operators cannot approve.
  await admin.registry.query(
    `update users set role_since = now() - interval '2 days' where id = $1`,
    [made.id],
  );
  return made.id;
}

export function atoms(btc: string): Atoms {
  return exactly(atomsFromDecimal(btc, SCALE)) as Atoms;
}
