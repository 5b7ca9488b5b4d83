// The stage of the drill: a real exchange with two gateways, a dispatcher, a notifier and an SMTP
// server; people with keys that may withdraw; everything that the stream and the mail server got.

import { type Atoms, atomsFromDecimal, type UserId } from '../../../core/money/index.ts';
import { describePolicySettings } from '../../../domain/transfers/index.ts';
import { type SmtpForTest, startSmtpForTest } from '../../../services/notifier/smtp-for-test.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import type { ApiKey } from '../../../tools/sandbox/sandbox-admin.ts';
import { exactly } from '../../../tools/sandbox/seed.ts';
import { MailTally } from './mail-tally.ts';
import { NoticeTally } from './notice-tally.ts';

/** A valid address that belongs to nobody here. */
export const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
export const SCALE = 8;
export const FEE_ATOMS = atoms('0.0005');

/** The mail of a killed notifier is sent again after this time. */
const MAIL_LEASE_MS = 2_000;
const ENOUGH = '1000000000';

export interface Person {
  readonly user: UserId;
  readonly email: string;
  readonly key: ApiKey;
  /** One client per gateway. */
  readonly clients: readonly RestClient[];
}

export interface DrillStage {
  readonly sandbox: Sandbox;
  readonly mails: MailTally;
  readonly notices: NoticeTally;
  /** Of the administrator, one per gateway. */
  readonly operators: readonly RestClient[];
  /** A person with this much bitcoin. */
  person(btc: string): Promise<Person>;
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
  // Only the number of withdrawals within an hour asks for a review.
  await describePolicySettings(admin.registry, {
    oneReviewFrom: ENOUGH,
    twoReviewsFrom: ENOUGH,
    newAddressFrom: ENOUGH,
    freshFundsFrom: ENOUGH,
    outflowPerHourMax: ENOUGH,
  });
  const clientsOf = ({ key, secret }: Pick<ApiKey, 'key' | 'secret'>) =>
    urls.map((url) => new RestClient({ url, key, secret }));
  return {
    sandbox,
    mails,
    notices: new NoticeTally(admin.bus),
    operators: clientsOf(seeded.users.admin),
    person,
    async stop() {
      await sandbox.stop();
      await smtp.stop();
    },
  };

  async function person(btc: string): Promise<Person> {
    const [{ email, user }] = await sandbox.createTraders({ count: 1, funds: { btc } });
    const key = await admin.issueKey({ user, whitelistedIps: ['127.0.0.1'] });
    return { user, email, key, clients: clientsOf(key) };
  }
}

export function atoms(btc: string): Atoms {
  return exactly(atomsFromDecimal(btc, SCALE)) as Atoms;
}
