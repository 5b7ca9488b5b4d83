// The mails that an operator can send to a user: the mail types of the interface that Rialto has a
// text for, and the values that each shows. A mail with a code is only sent by the flow that made
// the code. Pure.

import type { Circumstances, MailKind, MailValues, TransferValues } from '../mail/index.ts';

/** Values as sent; each is a text or a number. */
export type MailData = Readonly<Record<string, unknown>>;

export type KnownMail = {
  [Kind in MailKind]: { readonly kind: Kind; readonly values: MailValues[Kind] };
}[MailKind];

/** A sentence says why not. */
export type KnownMailResult = KnownMail | { readonly refused: string };

const WITH_CODE: readonly string[] = [
  'signup',
  'reset_password',
  'change_password',
  'withdrawal_request',
  'confirm_email',
];
const TEXT_CHARACTERS_MAX = 200;

export function knownMail(type: string, data: MailData, nowMs: number): KnownMailResult {
  const time = textOf(data, 'time') || new Date(nowMs).toISOString();
  const circumstances: Circumstances = {
    time,
    ip: textOf(data, 'ip'),
    country: textOf(data, 'country'),
    device: textOf(data, 'device'),
    freezeToken: '',
  };
  switch (type) {
    case 'welcome':
    case 'password_changed':
      return { kind: type, values: circumstances };
    case 'login':
      return { kind: 'new_device', values: circumstances };
    case 'user_deactivated':
      return activation(data, circumstances);
    case 'deposit':
    case 'withdrawal':
      return transfer(type, data, time);
    case 'deposit_cancel':
      return cancellation(data, time);
    default:
      return { refused: reasonOf(type) };
  }
}

function reasonOf(type: string): string {
  if (WITH_CODE.includes(type)) {
    return `A mail of type ${type} has a code: only the call that makes the code sends it`;
  }
  return `Rialto has no text for mails of type ${type}`;
}

function activation(data: MailData, values: Circumstances): KnownMailResult {
  const type = textOf(data, 'type');
  if (type === 'activated') return { kind: 'account_unfrozen', values };
  if (type === 'deactivated') return { kind: 'account_frozen', values };
  return { refused: 'data.type must be activated or deactivated' };
}

function transfer(type: 'deposit' | 'withdrawal', data: MailData, time: string): KnownMailResult {
  const values = transferValues(data, time);
  const status = textOf(data, 'status').toUpperCase();
  if (values === undefined || !['PENDING', 'COMPLETED'].includes(status)) {
    return { refused: 'data must have amount, currency, and status PENDING or COMPLETED' };
  }
  const isDone = status === 'COMPLETED';
  if (type === 'deposit') return { kind: isDone ? 'deposit_completed' : 'deposit_pending', values };
  return { kind: isDone ? 'withdrawal_completed' : 'withdrawal_held', values };
}

function cancellation(data: MailData, time: string): KnownMailResult {
  const values = transferValues(data, textOf(data, 'date') || time);
  const type = textOf(data, 'type');
  if (values === undefined || !['deposit', 'withdrawal'].includes(type)) {
    return { refused: 'data must have amount, currency, and type deposit or withdrawal' };
  }
  const kind = type === 'deposit' ? 'deposit_ended' : 'withdrawal_ended';
  return { kind, values: { ...values, end: 'canceled' } };
}

/** Undefined without an amount and a currency. */
function transferValues(data: MailData, time: string): TransferValues | undefined {
  const amount = textOf(data, 'amount');
  const currency = textOf(data, 'currency');
  if (!/^\d+(?:\.\d+)?$/.test(amount) || currency === '') return undefined;
  return {
    time,
    amount,
    currency,
    fee: textOf(data, 'fee') || '0',
    feeCurrency: textOf(data, 'fee_coin') || currency,
    network: textOf(data, 'network'),
    address: textOf(data, 'address'),
    transactionId: textOf(data, 'transaction_id'),
    freezeToken: '',
  };
}

function textOf(data: MailData, name: string): string {
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  if (typeof value === 'number') return `${value}`;
  return typeof value === 'string' ? value.slice(0, TEXT_CHARACTERS_MAX) : '';
}
