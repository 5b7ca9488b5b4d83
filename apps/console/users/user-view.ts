// A user as operators see them: header labels, the actions possible now, the note with an added
// reason, and balances as rows.

import type { Balance, OperatorUser } from '../../../client/index.ts';
import { isZero, subtract } from '../../decimals/index.ts';
import type { ActName } from '../access.ts';

type Shown = Pick<
  OperatorUser,
  | 'activated'
  | 'email_verified'
  | 'flagged'
  | 'is_subaccount'
  | 'otp_enabled'
  | 'role'
  | 'state'
  | 'withdrawal_blocked'
>;

export interface Mark {
  readonly name:
    | 'frozen'
    | 'closing'
    | 'closed'
    | 'erased'
    | 'unverified'
    | 'blocked'
    | 'flagged'
    | 'operator'
    | 'sub'
    | 'noFactor';
  readonly weight: 'bad' | 'warn' | 'plain';
  /** End of a withdrawal block. */
  readonly until?: string;
  /** Role of an operator. */
  readonly role?: string;
}

/** Most severe first. */
export function marksOf(user: Shown, nowMs: number): Mark[] {
  const { state, withdrawal_blocked: until } = user;
  const marks: Mark[] = [];
  if (!user.activated && state !== 'closing' && state !== 'closed' && state !== 'erased') {
    marks.push({ name: 'frozen', weight: 'bad' });
  }
  if (state === 'closing' || state === 'closed' || state === 'erased') {
    marks.push({ name: state, weight: 'bad' });
  }
  if (isBlocked(user, nowMs)) marks.push({ name: 'blocked', weight: 'bad', until: until ?? '' });
  if (user.flagged) marks.push({ name: 'flagged', weight: 'warn' });
  if (!user.email_verified) marks.push({ name: 'unverified', weight: 'warn' });
  if (!user.otp_enabled && !user.is_subaccount) marks.push({ name: 'noFactor', weight: 'warn' });
  if (user.role !== null && user.role !== '' && user.role !== 'user') {
    marks.push({ name: 'operator', weight: 'plain', role: user.role });
  }
  if (user.is_subaccount) marks.push({ name: 'sub', weight: 'plain' });
  return marks;
}

function isBlocked({ withdrawal_blocked: until }: Shown, nowMs: number): boolean {
  return until !== null && Date.parse(until) > nowMs;
}

export type UserActName =
  | 'freeze'
  | 'unfreeze'
  | 'block'
  | 'unblock'
  | 'flag'
  | 'unflag'
  | 'level'
  | 'verifyEmail'
  | 'resetFactors'
  | 'discount'
  | 'role'
  | 'reveal'
  | 'delete'
  | 'restore';

interface UserAct {
  readonly name: UserActName;
  readonly act: ActName;
  readonly isDanger: boolean;
  /** Whether the action needs approval, as far as the page can tell. */
  readonly waits: boolean;
  isSensible(user: Shown, nowMs: number): boolean;
}

const CLOSED = ['closing', 'closed', 'erased'];

const USER_ACTS: readonly UserAct[] = [
  {
    name: 'freeze',
    act: 'freezeUser',
    isDanger: true,
    waits: false,
    // Freezing a frozen account again stops anything that the first call left running.
    isSensible: ({ state }) => !CLOSED.includes(state),
  },
  {
    name: 'unfreeze',
    act: 'freezeUser',
    isDanger: false,
    waits: true,
    isSensible: ({ activated, state }) => !activated && !CLOSED.includes(state),
  },
  {
    name: 'block',
    act: 'holdUser',
    isDanger: true,
    waits: false,
    isSensible: ({ state }) => !CLOSED.includes(state),
  },
  {
    name: 'unblock',
    act: 'holdUser',
    isDanger: false,
    waits: true,
    isSensible: isBlocked,
  },
  {
    name: 'flag',
    act: 'flagUser',
    isDanger: false,
    waits: false,
    isSensible: ({ flagged }) => !flagged,
  },
  {
    name: 'unflag',
    act: 'flagUser',
    isDanger: false,
    waits: false,
    isSensible: ({ flagged }) => flagged,
  },
  {
    name: 'level',
    act: 'setLevel',
    isDanger: false,
    waits: false,
    isSensible: ({ is_subaccount: isSub, state }) => !isSub && !CLOSED.includes(state),
  },
  {
    name: 'verifyEmail',
    act: 'verifyEmail',
    isDanger: false,
    waits: false,
    isSensible: ({ email_verified: isVerified, is_subaccount: isSub }) => !isVerified && !isSub,
  },
  {
    name: 'resetFactors',
    act: 'resetFactors',
    isDanger: true,
    waits: true,
    isSensible: ({ is_subaccount: isSub, state }) => !isSub && !CLOSED.includes(state),
  },
  {
    name: 'discount',
    act: 'setDiscount',
    isDanger: false,
    waits: true,
    isSensible: ({ state }) => !CLOSED.includes(state),
  },
  {
    name: 'role',
    act: 'setRole',
    isDanger: true,
    waits: true,
    isSensible: ({ is_subaccount: isSub, state }) => !isSub && !CLOSED.includes(state),
  },
  { name: 'reveal', act: 'reveal', isDanger: true, waits: false, isSensible: () => true },
  {
    name: 'delete',
    act: 'deleteUser',
    isDanger: true,
    waits: false,
    isSensible: ({ state }) => !CLOSED.includes(state),
  },
  {
    name: 'restore',
    act: 'restoreUser',
    isDanger: false,
    waits: true,
    isSensible: ({ state }) => state === 'closing' || state === 'closed',
  },
];

/** Returns the role's possible actions on this user; none on the operator's own account. */
export function actsOn(
  user: Shown & { readonly id: number },
  operator: { readonly id: number; may(act: ActName): boolean },
  nowMs: number,
): readonly UserAct[] {
  if (user.id === operator.id) return [];
  return USER_ACTS.filter(({ act, isSensible }) => operator.may(act) && isSensible(user, nowMs));
}

/** Returns the note with one more line. The exchange stores one text per user. */
export function noteWith(
  note: string,
  line: { readonly at: string; readonly act: string; readonly reason: string },
): string {
  const added = `${line.at.slice(0, 16).replace('T', ' ')} ${line.act}: ${line.reason}`;
  return note.trim() === '' ? added : `${note.trimEnd()}\n${added}`;
}

export interface BalanceRow {
  readonly currency: string;
  readonly total: string;
  readonly available: string;
  readonly held: string;
}

/** Returns one row per asset; empty balances only on request. */
export function balanceRows(balance: Balance, withEmpty = false): BalanceRow[] {
  const totals = balance as unknown as Readonly<Record<string, unknown>>;
  const rows: BalanceRow[] = [];
  for (const [key, total] of Object.entries(totals)) {
    if (!key.endsWith('_balance') || typeof total !== 'string') continue;
    const currency = key.slice(0, -'_balance'.length);
    const available = totals[`${currency}_available`];
    if (typeof available !== 'string' || (isZero(total) && !withEmpty)) continue;
    rows.push({ currency, total, available, held: subtract(total, available) });
  }
  return rows.toSorted((one, other) => one.currency.localeCompare(other.currency));
}

export interface PricedOrder {
  readonly type: string;
  readonly price: string | null;
  /** Trigger price; null unless it is a stop. */
  readonly stop: string | null;
}

/** Whether the order trades at the market, now or once its stop triggers. */
export function isAtMarket({ price, type }: PricedOrder): boolean {
  return type === 'market' || price === null || isZero(price);
}

export function orderKind(order: PricedOrder): 'limit' | 'market' | 'stop' | 'stop_limit' {
  if (order.stop === null) return isAtMarket(order) ? 'market' : 'limit';
  return isAtMarket(order) ? 'stop' : 'stop_limit';
}
