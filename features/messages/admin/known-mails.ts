// Emails that an operator can send to a user: the interface's mail types for which Rialto has a
// text, and the values that each shows. An email with a code is sent only by the flow that created
// the code. No value is free text, because users trust these emails. Pure.

import { Refused } from '../../../protocol/wire/index.ts';
import { EMAIL_NETWORK, parseDestination } from '../../payments/index.ts';
import type { Circumstances, MailKind, MailValues, TransferValues } from '../mail/mail-kinds.ts';

/** Values as sent; each is a text or a number. */
export type MailData = Readonly<Record<string, unknown>>;

/** Listed coins with their networks. */
export type CoinNetworks = ReadonlyMap<string, readonly string[]>;

export type KnownMail = {
  [Kind in MailKind]: { readonly kind: Kind; readonly values: MailValues[Kind] };
}[MailKind];

type MailRefused = Refused<'mail_refused'>;
export type KnownMailResult = KnownMail | MailRefused;

const WITH_CODE: readonly string[] = [
  'signup',
  'reset_password',
  'change_password',
  'withdrawal_request',
  'confirm_email',
];

const DECIMAL = /^\d{1,30}(?:\.\d{1,30})?$/;
const COUNTRY = /^[A-Z]{2}$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const IPV6 = /^(?=.*:.*:)[\da-f:]{2,39}$/i;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A hash in hexadecimal or in an alphabet of letters and digits. */
const HASH = /^[\dA-Za-z]{32,128}$/;
/** For networks whose addresses Rialto cannot check. */
const ADDRESS = /^[\dA-Za-z]{20,128}$/;

export function knownMail(
  type: string,
  data: MailData,
  { coins, nowMs }: { readonly coins: CoinNetworks; readonly nowMs: number },
): KnownMailResult {
  const now = new Date(nowMs).toISOString();
  switch (type) {
    case 'welcome':
    case 'password_changed':
    case 'login':
    case 'user_deactivated':
    case 'account_upgrade':
    case 'account_verify':
    case 'bank_verified':
    case 'user_verification_reject':
    case 'discount_update': {
      const values = circumstancesOf(data, now);
      return values instanceof Refused ? values : account(type, data, values);
    }
    // An invalid address is not shown.
    case 'invalid_address': {
      const values = transferValues({ ...data, address: '' }, now, coins);
      if (values instanceof Refused) return values;
      return { kind: 'withdrawal_ended', values: { ...values, end: 'rejected' } };
    }
    case 'deposit':
    case 'withdrawal':
    case 'deposit_cancel': {
      const values = transferValues(data, now, coins);
      if (values instanceof Refused) return values;
      return type === 'deposit_cancel' ? cancellation(data, values) : transfer(type, data, values);
    }
    default:
      return refused(reasonOf(type));
  }
}

function reasonOf(type: string): string {
  if (WITH_CODE.includes(type)) {
    return `Emails of type ${type} contain a code: only the endpoint that creates it sends them`;
  }
  return `Rialto has no text for emails of type ${type}`;
}

function account(type: string, data: MailData, values: Circumstances): KnownMailResult {
  const plain = MAILS_ABOUT_ACCOUNTS[type];
  if (plain !== undefined) return { kind: plain, values };
  const what = textOf(data, 'type');
  if (type === 'discount_update') {
    const discount = textOf(data, 'rate');
    if (DECIMAL.test(discount) && Number(discount) <= 100) {
      return { kind: 'discount_changed', values: { ...values, discount } };
    }
    return refused('data.rate must be a percentage');
  }
  if (type === 'user_verification_reject') {
    if (what === 'id') return { kind: 'verification_rejected', values };
    if (what === 'bank') return { kind: 'bank_rejected', values };
    return refused('data.type must be id or bank');
  }
  if (what === 'activated') return { kind: 'account_unfrozen', values };
  if (what === 'deactivated') return { kind: 'account_frozen', values };
  return refused('data.type must be activated or deactivated');
}

/** Emails that show no value from the operator. */
const MAILS_ABOUT_ACCOUNTS: Readonly<Record<string, AccountMail>> = {
  welcome: 'welcome',
  password_changed: 'password_changed',
  login: 'new_device',
  account_upgrade: 'account_upgraded',
  account_verify: 'account_verified',
  bank_verified: 'bank_verified',
};

type AccountMail =
  | 'welcome'
  | 'password_changed'
  | 'new_device'
  | 'account_upgraded'
  | 'account_verified'
  | 'bank_verified';

function transfer(
  type: 'deposit' | 'withdrawal',
  data: MailData,
  values: TransferValues,
): KnownMailResult {
  const status = textOf(data, 'status').toUpperCase();
  if (!['PENDING', 'COMPLETED'].includes(status)) {
    return refused('data.status must be PENDING or COMPLETED');
  }
  const isDone = status === 'COMPLETED';
  if (type === 'deposit') return { kind: isDone ? 'deposit_completed' : 'deposit_pending', values };
  return { kind: isDone ? 'withdrawal_completed' : 'withdrawal_held', values };
}

function cancellation(data: MailData, values: TransferValues): KnownMailResult {
  const type = textOf(data, 'type');
  if (type !== 'deposit' && type !== 'withdrawal') {
    return refused('data.type must be deposit or withdrawal');
  }
  const kind = type === 'deposit' ? 'deposit_ended' : 'withdrawal_ended';
  return { kind, values: { ...values, end: 'canceled' } };
}

/** `device` would be free text from the operator, so it stays empty. */
function circumstancesOf(data: MailData, now: string): Circumstances | MailRefused {
  const time = momentOf(textOf(data, 'time') || now);
  const ip = textOf(data, 'ip');
  const country = textOf(data, 'country');
  if (time === undefined) return refused('data.time must be an ISO 8601 time');
  if (ip !== '' && !IPV4.test(ip) && !IPV6.test(ip)) {
    return refused('data.ip must be an IP address');
  }
  if (country !== '' && !COUNTRY.test(country)) {
    return refused('data.country must be two uppercase letters');
  }
  return { time, ip, country, device: '', freezeToken: '' };
}

function transferValues(
  data: MailData,
  now: string,
  coins: CoinNetworks,
): TransferValues | MailRefused {
  const amount = textOf(data, 'amount');
  const currency = textOf(data, 'currency');
  const fee = textOf(data, 'fee') || '0';
  const feeCurrency = textOf(data, 'fee_coin') || currency;
  const network = textOf(data, 'network');
  const address = textOf(data, 'address');
  const transactionId = textOf(data, 'transaction_id');
  const time = momentOf(textOf(data, 'date') || textOf(data, 'time') || now);
  if (time === undefined) return refused('data.date must be an ISO 8601 time');
  if (!DECIMAL.test(amount) || !DECIMAL.test(fee)) {
    return refused('data.amount and data.fee must be decimals');
  }
  if (!coins.has(currency) || !coins.has(feeCurrency)) {
    return refused('data.currency and data.fee_coin must be listed coins');
  }
  const networks = coins.get(currency) ?? [];
  if (network !== '' && !networks.includes(network)) {
    return refused('data.network must be a network of the coin');
  }
  if (address !== '' && !isAddress(network || (networks[0] ?? currency), address)) {
    return refused('data.address must be an address of the network');
  }
  if (transactionId !== '' && !UUID.test(transactionId) && !HASH.test(transactionId)) {
    return refused('data.transaction_id must be the hash or the UUID of a transaction');
  }
  const terms = { time, amount, currency, fee, feeCurrency };
  return { ...terms, network, address, transactionId, freezeToken: '' };
}

/** Networks without a parser accept any text, so its form is checked too. */
function isAddress(network: string, text: string): boolean {
  if (network === EMAIL_NETWORK || parseDestination(network, text) === undefined) return false;
  return parseDestination(network, '?') === undefined || ADDRESS.test(text);
}

function momentOf(text: string): string | undefined {
  const ms = Date.parse(text);
  return /^\d{4}-\d\d-\d\d[\dT:.Z+ -]*$/.test(text) && !Number.isNaN(ms)
    ? new Date(ms).toISOString()
    : undefined;
}

function textOf(data: MailData, name: string): string {
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  if (typeof value === 'number') return `${value}`;
  return typeof value === 'string' ? value : '';
}

function refused(detail: string): MailRefused {
  return new Refused('mail_refused', { detail });
}
