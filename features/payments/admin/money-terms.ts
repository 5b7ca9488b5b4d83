// Terms of a money action: its asset as listed in the log, its amount in atoms, and the lines shown
// to voters. Reads everything in the action's transaction.

import {
  type AssetId,
  type Atoms,
  atomsFromDecimal,
  compareDecimals,
  decimalFromAtoms,
  parseDecimal,
  type UserId,
} from '../../../core/money/index.ts';
import { assertPlainName } from '../../../infra/postgres/index.ts';
import type { OutboxPosition } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type ActContext,
  type MovedMoney,
  type ShownLine,
  valueMoney,
} from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import type { RequestedAsset } from '../withdrawals/requests.ts';

/** Outbox position as JSON. */
export interface OutboxRef extends JsonObject {
  readonly channel: number;
  readonly sequence: number;
}

/** A deposit or a withdrawal, and the command appended for it, if any. */
export interface RequestRef extends JsonObject {
  readonly id: number;
  readonly asked: OutboxRef | null;
}

export function outboxRef({ channel, sequence }: OutboxPosition): OutboxRef {
  return { channel, sequence };
}

/** Returns undefined if no command was appended. */
export function positionOf({ asked }: RequestRef): OutboxPosition | undefined {
  return asked ?? undefined;
}

export interface MoneyAsset extends RequestedAsset {
  readonly isChainCoin: boolean;
  /** Whether withdrawals are currently enabled. */
  readonly isWithdrawable: boolean;
  readonly capAtoms: Atoms;
  /** Total amount on the exchange according to the projected tables. */
  readonly issuedAtoms: Atoms;
}

type Reading = Pick<ActContext, 'connection' | 'exchange'>;

/** Account for everything outside the exchange. Its balance is minus what the exchange owes. */
const OUTSIDE = -1;

export async function readAsset(
  { connection, exchange }: Reading,
  currency: string,
): Promise<MoneyAsset | Refused<'currency_invalid'>> {
  const schema = exchange.projectionSchema;
  assertPlainName(schema);
  const { rows } = await connection.query(
    `select a.id, a.symbol, a.scale, a.issuance_cap_atoms, c.type,
       coalesce(c.allow_withdrawal and c.active, false) as is_withdrawable,
       coalesce(-b.available_atoms, 0) as issued_atoms
     from ${schema}.assets a left join coins c on c.symbol = a.symbol
     left join ${schema}.balances b on b.owner = ${OUTSIDE} and b.asset_id = a.id
     where a.symbol = $1`,
    [currency],
  );
  const [row] = rows;
  if (row === undefined) return new Refused('currency_invalid', { currency });
  return {
    id: Number(row.id) as AssetId,
    currency: row.symbol,
    scale: Number(row.scale),
    isChainCoin: (row.type ?? 'blockchain') === 'blockchain',
    isWithdrawable: row.is_withdrawable,
    capAtoms: BigInt(row.issuance_cap_atoms) as Atoms,
    issuedAtoms: BigInt(row.issued_atoms) as Atoms,
  };
}

/** Parses an amount above zero, or zero and above for a fee. */
export function parseAmount(
  text: string,
  { scale }: Pick<RequestedAsset, 'scale'>,
  { allowZero = false }: { readonly allowZero?: boolean } = {},
): Atoms | Refused<'amount_must_be_positive' | 'amount_invalid'> {
  const atoms = atomsFromDecimal(text, scale);
  if (!atoms.ok && atoms.problem !== 'negative') {
    return new Refused('amount_invalid', { problem: atoms.problem.replaceAll('_', ' ') });
  }
  const isPositive = atoms.ok && (allowZero || atoms.value > 0n);
  return isPositive ? atoms.value : new Refused('amount_must_be_positive');
}

/**
 * Rejects house accounts. Money in a house account, such as the reserve of a stake pool, belongs to
 * its stakers and moves only by settlements.
 */
export async function requireUsers(
  { connection }: Reading,
  users: readonly number[],
): Promise<Refused<'user_not_found' | 'account_of_house'> | undefined> {
  const { rows } = await connection.query(
    'select id, kind from users where id = any($1::bigint[])',
    [users],
  );
  if (rows.length !== new Set(users).size) return new Refused('user_not_found');
  const house = rows.find(({ kind }) => kind === 'house');
  if (house === undefined) return undefined;
  return new Refused('account_of_house', { user: Number(house.id) });
}

/** One user's money in one currency, moved into or out of the exchange. */
interface MoneyOfUser {
  readonly user_id: number;
  readonly currency: string;
  readonly amount: string;
}

export async function termsOfUser(
  context: Reading,
  { amount, currency, user_id: user }: MoneyOfUser,
  direction: BalanceChange['direction'],
) {
  const asset = await readAsset(context, currency);
  if (asset instanceof Refused) return asset;
  const amountAtoms = parseAmount(amount, asset);
  if (amountAtoms instanceof Refused) return amountAtoms;
  const refusal = await requireUsers(context, [user]);
  if (refusal !== undefined) return refusal;
  const change = { user, asset, amountAtoms, direction, isFromOutside: true } as const;
  return {
    asset,
    amountAtoms,
    amountText: textOf(amountAtoms, asset),
    /** Shown to voters. */
    balances: await balanceLines(context, change),
    assessed: {
      object: `user ${user}`,
      objectVersion: '',
      approvals: 0,
      beneficiaries: [user as UserId],
    } as const,
  };
}

export function bytesOf(hex: string | null): Buffer | undefined {
  return hex === null ? undefined : Buffer.from(hex, 'hex');
}

/** Change of a user's balance, shown to voters. */
export interface BalanceChange {
  readonly user: number;
  readonly asset: MoneyAsset;
  readonly amountAtoms: Atoms;
  readonly direction: 'in' | 'out';
  /** Money entering or leaving the exchange changes the total it owes. */
  readonly isFromOutside?: true;
}

export async function balanceLines(
  context: Reading,
  { amountAtoms, asset, direction, isFromOutside, user }: BalanceChange,
): Promise<ShownLine[]> {
  const before = await balanceOf(context, user, asset.id);
  const after = direction === 'in' ? before + amountAtoms : before - amountAtoms;
  const whole = asset.issuedAtoms + (isFromOutside && direction === 'in' ? amountAtoms : 0n);
  return [
    { label: `User ${user} balance before`, value: textOf(before, asset) },
    {
      label: `User ${user} balance after`,
      value: after < 0n ? 'not enough' : textOf(after as Atoms, asset),
    },
    {
      label: `Share of exchange total (${asset.currency.toUpperCase()})`,
      value: `${percentOf(amountAtoms, whole)}%`,
    },
  ];
}

export function textOf(atoms: bigint, { currency, scale }: RequestedAsset): string {
  return `${decimalFromAtoms(atoms as Atoms, scale)} ${currency}`;
}

/** Texts that might name a person; sealed in the audit log. */
export function personalOf(texts: Readonly<Record<string, string | null>>): {
  readonly personal?: JsonObject;
} {
  const given = Object.entries(texts).filter(([, text]) => text !== null && text !== '');
  return given.length === 0 ? {} : { personal: Object.fromEntries(given) };
}

/** Returns the more valuable side of a trade. A side without a price counts as more valuable. */
export async function largerOf(
  context: ActContext,
  [one, other]: readonly [MovedMoney, MovedMoney],
): Promise<MovedMoney> {
  const [first, second] = [await valueMoney(context, one), await valueMoney(context, other)];
  if (first.value === null || second.value === null) return first.value === null ? one : other;
  return compareDecimals(parseDecimal(first.value), parseDecimal(second.value)) >= 0 ? one : other;
}

/** Returns the available and held balance according to the projected tables. */
async function balanceOf(
  { connection, exchange }: Reading,
  user: number,
  asset: AssetId,
): Promise<bigint> {
  const { rows } = await connection.query(
    `select available_atoms + held_atoms as atoms from ${exchange.projectionSchema}.balances
     where owner = $1 and asset_id = $2`,
    [user as UserId, asset],
  );
  return BigInt(rows[0]?.atoms ?? 0);
}

/** Two decimals, rounded down, at most 100. */
function percentOf(part: bigint, whole: bigint): string {
  const hundredths = whole <= 0n || part >= whole ? 10_000n : (part * 10_000n) / whole;
  return `${hundredths / 100n}.${`${hundredths % 100n}`.padStart(2, '0')}`;
}
