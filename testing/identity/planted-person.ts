// A user with a value of every kind that must not be readable in the database, planted through the
// functions that the exchange itself uses.

import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { type PersonalData, writePersonal } from '../../features/accounts/index.ts';
import { replaceRecoveryCodes } from '../../features/auth/factors/recovery-codes.ts';
import {
  freezeToken,
  grantSession,
  installPassword,
  issueCode,
  issueKey,
  PasswordHasher,
  passwordTagText,
  requestEmailChange,
  requestTotp,
  SESSION_LIFE_MS,
  signUp,
  totpBound,
} from '../../features/auth/index.ts';
import { rememberDevice } from '../../features/auth/login/devices.ts';
import { recordLogin } from '../../features/auth/login/logins.ts';
import { requestPasswordReset } from '../../features/auth/passwords/reset-password.ts';
import { enqueueMail } from '../../features/messages/index.ts';
import { sendSupportMessage } from '../../features/messages/support/support-messages.ts';
import { addBankAccount } from '../../features/payments/banks/bank-accounts.ts';
import { addPaymentDetail } from '../../features/payments/banks/payment-details.ts';
import { sharedAccountBound } from '../../features/sub-accounts/index.ts';
import type { Connection, Statements } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { readMails } from './read-mails.ts';

export const PERSONAL: PersonalData = {
  fullName: 'Wilhelmina Plantagenet',
  gender: true,
  nationality: 'Liechtensteinian',
  dob: '1987-06-05T00:00:00.000Z',
  phoneNumber: '+423 232 88 99',
  address: {
    city: 'Triesenberg',
    address: 'Rotenbodenstrasse 123',
    country: 'LI',
    postal_code: '9497',
  },
  idData: {
    type: 'passport',
    number: 'LI-X7730021',
    status: 2,
    issued_date: '2019-04-03T00:00:00.000Z',
    expiration_date: '2029-04-02T00:00:00.000Z',
  },
};
export const BANK = { iban: 'LI21088100002324013AA', bank_name: 'Landesbank Planted' };
const PAYMENT = {
  name: 'Planted payment name',
  label: 'Planted payment label',
  details: { handle: 'planted-handle-77' },
};

/** Readable by design while the account exists, and removed by its erasure. */
export const TRACES = { ip: '198.51.100.77', userAgent: 'PlantedBrowser/7.1' };
export const REQUEST_TRACES = {
  country: 'Planted country one',
  knownCountry: 'Planted country two',
  description: 'Rent of Planted Manor',
};
const PASSWORD = 'nine planted horses gallop';
const CODE_FORMS = {
  verify_email: 'v2',
  reset_password: 'v3',
  change_password: 'v4',
  confirm_action: 'v5',
} as const;
const FLOW = { network: '198.51.100.77', session: 0 };

/** Plants secret values and returns them by name. None can be readable, in any encoding. */
export async function plantSecrets(
  statements: Statements,
  vault: Vault,
  user: UserId,
): Promise<Record<string, string | Uint8Array>> {
  const nowMs = systemClock.nowMs();
  const tag = await new PasswordHasher({ clock: systemClock }).hash(PASSWORD, {
    isKnownDevice: false,
  });
  await installPassword(statements, vault, user, tag);
  const key = await issueKey(statements, vault, {
    user,
    name: 'planted',
    kind: 'hmac',
    role: 'user',
    canRead: true,
    canTrade: true,
    canWithdraw: false,
    whitelistedIps: [TRACES.ip],
    nowMs,
  });
  if (key instanceof Refused) throw new Error(`key refused: ${key.key}`);
  const client = {
    address: TRACES.ip,
    network: TRACES.ip,
    userAgent: TRACES.userAgent,
    isBrowserApp: true,
  };
  const { device, token: deviceToken = '' } = await rememberDevice(statements, {
    user,
    client,
    country: 'LI',
    nowMs,
  });
  const login = { user, email: 'planted@example.com', outcome: 'success', client } as const;
  await recordLogin(statements, vault, { ...login, country: 'LI', device, nowMs });
  const { token: sessionToken } = await grantSession(statements, vault, {
    user,
    nowMs,
    lifeMs: SESSION_LIFE_MS,
    exchangeName: 'planted',
    device,
    ...TRACES,
  });
  const otp = await requestTotp(statements, vault, { user, nowMs });
  if (otp instanceof Refused) throw new Error(`secret refused: ${otp.key}`);
  const seed = await statements.query(
    'select kek_id, sealed_secret from totp_secrets where user_id = $1',
    [user],
  );
  const { kek_id, sealed_secret: sealed } = seed.rows[0];
  return {
    password: PASSWORD,
    'password tag': tag.tag,
    'API secret': key.secret,
    'session token': sessionToken,
    'signature of the session token': sessionToken.split('.').at(-1)!,
    'device token': deviceToken,
    'OTP seed': otp.secret,
    'bytes of the OTP seed': vault.open(totpBound(user), { kekId: Number(kek_id), sealed }),
    ...(await plantCodes(statements, vault, user, passwordTagText(tag))),
    ...(await plantMail(statements, vault, user)),
    ...(await plantPersonal(statements, vault, user)),
  };
}

/**
 * Plants users in the middle of a sign-up, a reset and a change of their address. Returns the
 * secrets of all pending emails, and other values that must not be readable.
 */
export async function plantFlows(
  connection: Connection,
  vault: Vault,
  { email, user }: { readonly user: UserId; readonly email: string },
): Promise<Record<string, string | Uint8Array>> {
  const nowMs = systemClock.nowMs();
  const circumstances = (of: UserId | undefined) => ({
    time: '2026-01-02T03:04:05.000Z',
    ip: '2001:db8:7007::78',
    country: 'LI',
    device: 'Planted flow device',
    freezeToken: of === undefined ? '' : freezeToken(vault, of, nowMs),
  });
  const hasher = new PasswordHasher({ clock: systemClock });
  const password = await hasher.hash('eleven planted herons wade', { isKnownDevice: false });
  // The new user is another person at another address.
  const asked = { flow: { network: '203.0.113.99', session: 0 }, circumstances };
  const signed = { email: 'newcomer@example.com', form: 'v2', language: 'en', password } as const;
  throwRefusal(await signUp(connection, vault, { ...asked, ...signed }));
  await requestPasswordReset(connection, vault, { ...asked, email, form: 'v3' });
  const life = { lifeMs: SESSION_LIFE_MS, nowMs, exchangeName: 'planted' };
  const { session, token } = await grantSession(connection, vault, { user, ...life });
  const act = {
    user,
    nowMs,
    flow: { ...FLOW, session: session.id },
    circumstances: circumstances(user),
  };
  const newEmail = 'wilhelmina.next@planted.example';
  const change = { email: newEmail, otpCode: '' };
  throwRefusal(await requestEmailChange(connection, vault, act, change));
  return {
    'pending password tag': password.tag,
    'second session token': token,
    'new address': newEmail,
    ...(await secretsOfMails(connection, vault)),
  };
}

async function secretsOfMails(connection: Connection, vault: Vault) {
  const secrets: Record<string, string> = {};
  for (const { id, kind, values } of await readMails(connection, vault)) {
    for (const name of ['code', 'freezeToken', 'ip', 'device']) {
      if (values[name]) secrets[`${name} of mail ${id}, ${kind}`] = values[name];
    }
  }
  return secrets;
}

function throwRefusal(refusal: unknown): void {
  if (refusal !== undefined) throw new Error(`refused: ${JSON.stringify(refusal)}`);
}

async function plantCodes(statements: Statements, vault: Vault, user: UserId, payload: string) {
  const planted: Record<string, string> = { 'payload of a code': payload };
  for (const [purpose, form] of Object.entries(CODE_FORMS)) {
    const code = { user, purpose: purpose as keyof typeof CODE_FORMS, form, flow: FLOW, payload };
    planted[`code ${form}`] = await issueCode(statements, vault, code);
  }
  const recovery = await replaceRecoveryCodes(statements, user);
  for (const [at, code] of recovery.entries()) {
    planted[`recovery code ${at}`] = code;
    planted[`recovery code ${at} without dashes`] = code.replaceAll('-', '');
  }
  return planted;
}

async function plantMail(statements: Statements, vault: Vault, user: UserId) {
  const to = 'wilhelmina.mailbox@planted.example';
  const values = {
    time: '2026-01-02T03:04:05.000Z',
    ip: '2001:db8:7007::77',
    country: 'LI',
    device: 'Planted mail device',
    freezeToken: 'planted-freeze-token-5c2f',
    code: '3f0b8a52-6f2e-4a53-9d0e-7a1f0c9be001',
    form: 'v2',
  } as const;
  await enqueueMail(statements, vault, { user, to, language: 'en', kind: 'verify_email', values });
  return {
    'recipient of a mail': to,
    'freeze token of a mail': values.freezeToken,
    'code of a mail': values.code,
    'address in a mail': values.ip,
    'device in a mail': values.device,
  };
}

async function plantPersonal(statements: Statements, vault: Vault, user: UserId) {
  await writePersonal(statements, vault, user, PERSONAL);
  return {
    name: PERSONAL.fullName,
    'birth date': '1987-06-05',
    nationality: PERSONAL.nationality,
    phone: PERSONAL.phoneNumber,
    city: 'Triesenberg',
    street: 'Rotenbodenstrasse 123',
    document: 'LI-X7730021',
  };
}

/** The user's bank accounts. Planted separately, because they need a transaction. */
export async function plantBanks(
  connection: Connection,
  vault: Vault,
  user: UserId,
): Promise<Record<string, string>> {
  await addBankAccount(connection, vault, { user, fields: BANK });
  const kinds = { isP2p: true, isFiatControl: true };
  await addPaymentDetail(connection, vault, user, { ...PAYMENT, ...kinds });
  const content = {
    email: 'wilhelmina.support@planted.example',
    category: 'planted category',
    subject: 'Planted support subject',
    description: 'Planted support description',
  };
  const sent = { content, to: 'support@planted.example', nowMs: systemClock.nowMs() };
  await sendSupportMessage(connection, vault, sent);
  const guest = 'wilhelmina.guest@planted.example';
  const reference = randomUUID();
  const { kekId, sealed } = vault.seal(sharedAccountBound(reference), guest);
  await connection.query(
    `insert into shared_accounts (user_id, reference, kek_id, sealed_email)
     values ($1, $2, $3, $4)`,
    [user, reference, kekId, sealed],
  );
  return {
    'address of a guest': guest,
    'sender of a support message': content.email,
    'subject of a support message': content.subject,
    'text of a support message': content.description,
    bank: BANK.iban,
    'name of the bank': BANK.bank_name,
    'payment name': PAYMENT.name,
    'payment label': PAYMENT.label,
    'payment handle': PAYMENT.details.handle,
  };
}

/** Plants deposits and withdrawals that name the user: the user's own, and another user's. */
export async function plantRequests(
  statements: Statements,
  { email, other, user }: { readonly user: UserId; readonly email: string; readonly other: UserId },
): Promise<void> {
  const { country, description, knownCountry } = REQUEST_TRACES;
  const decisionIn = (here: string, known: string) => [
    JSON.stringify({ countWithinHour: 3, session: { country: here, knownCountries: [known] } }),
    JSON.stringify([
      { rule: 'new_country', result: 'review', facts: { country: here, known } },
      { rule: 'velocity', result: 'pass', facts: { count: 3 } },
    ]),
  ];
  const ofOther = 'of another person';
  for (const values of [
    [user, null, 'an address', description, ...decisionIn(country, knownCountry)],
    [other, 'email', email, ofOther, ...decisionIn('Country three', 'Country four')],
  ]) {
    await statements.query(
      `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         fee_asset_id, fee_currency, fee_scale, fee_atoms, network, address, description,
         policy_input, policy_lines, transaction_id, state)
       values ('withdrawal', $1, 1, 'btc', 8, 1, 1, 'btc', 8, 0, $2, $3, $4, $5, $6,
         gen_random_uuid(), 'completed')`,
      values,
    );
  }
  for (const values of [
    [user, null, 'an address', description],
    [other, 'email', email, ofOther],
  ]) {
    await statements.query(
      `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         network, address, description, transaction_id, state)
       values ('transfer', $1, 1, 'btc', 8, 1, $2, $3, $4, gen_random_uuid(), 'completed')`,
      values,
    );
  }
}
