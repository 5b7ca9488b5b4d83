// Target of a switch: a market, a coin, a service, users, a group, a tier, or the exchange. A call
// must name exactly what its switch needs; everything else is rejected.

import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { ActExchange } from '../../approvals/index.ts';
import { requireAsset, requireListedMarket } from '../../listings/admin/index.ts';
import type { StopMode, SwitchName, SwitchService } from '../api/switches.ts';

export type SwitchTarget = {
  readonly name: SwitchName;
  /** A market or a coin; absent for all of them. */
  readonly symbol?: string;
  readonly service?: SwitchService;
  /** For `accounts`, one of these three. */
  readonly users?: readonly number[];
  readonly group?: number;
  readonly tier?: number;
};

export type StopOrder = SwitchTarget & {
  /** For markets; defaults to `cancel-only`. */
  readonly mode?: StopMode;
  readonly reason?: string;
  /** Text for users. */
  readonly banner?: string;
};

export type ResumeOrder = SwitchTarget & {
  /** For markets: a softer stop instead of its end. */
  readonly mode?: StopMode;
};

/** A set of accounts; each has a separate stop. */
export type AccountSet =
  | { readonly object: string; readonly kind: 'users'; readonly id: UserId }
  | { readonly object: string; readonly kind: 'group' | 'tier'; readonly id: number };

type TargetRefused = Refused<'switch_target_invalid'>;

/** Fields of each switch, in addition to its name. */
const FIELDS: Record<SwitchName, readonly (keyof SwitchTarget)[]> = {
  trading: ['symbol'],
  deposits: ['symbol'],
  withdrawals: ['symbol'],
  writes: [],
  logins: [],
  accounts: ['users', 'group', 'tier'],
  intake: ['service'],
};
const ALL_FIELDS = ['symbol', 'service', 'users', 'group', 'tier'] as const;

/** Switches unknown to old clients; their stops need a reason. */
const NEEDS_REASON: ReadonlySet<SwitchName> = new Set(['writes', 'logins', 'accounts', 'intake']);

export async function checkTarget(
  reader: {
    readonly connection: Statements;
    readonly exchange: Pick<ActExchange, 'projectionSchema'>;
  },
  target: SwitchTarget & { readonly mode?: StopMode },
): Promise<TargetRefused | Refused<'symbol_invalid' | 'currency_invalid'> | undefined> {
  const { name, symbol } = target;
  const given = ALL_FIELDS.filter((field) => target[field] !== undefined);
  const odd = given.find((field) => !FIELDS[name].includes(field));
  if (odd !== undefined) return invalid(name, `does not take ${odd}`);
  if (target.mode !== undefined && name !== 'trading') return invalid(name, 'does not take a mode');
  if (name === 'intake' && given.length === 0) return invalid(name, 'requires a service');
  if (name === 'accounts' && given.length !== 1)
    return invalid(name, 'requires users, group or tier');
  if (symbol === undefined) return undefined;
  const listed = await (name === 'trading' ? requireListedMarket : requireAsset)(reader, symbol);
  return listed instanceof Refused ? listed : undefined;
}

export function checkReason({ name, reason = '' }: StopOrder): TargetRefused | undefined {
  if (!NEEDS_REASON.has(name) || reason.trim() !== '') return undefined;
  return invalid(name, 'requires a reason');
}

/** Object of the audit entry. */
export function describeTarget(target: SwitchTarget): string {
  const { group, name, service, symbol, tier, users } = target;
  if (name === 'writes' || name === 'logins') return name;
  if (users !== undefined) return `${name} of ${users.length} users`;
  if (group !== undefined) return `${name} of group ${group}`;
  if (tier !== undefined) return `${name} of tier ${tier}`;
  return `${name} ${service ?? symbol ?? 'of everything'}`;
}

export function accountSetsOf({ group, tier, users = [] }: SwitchTarget): AccountSet[] {
  if (group !== undefined) return [{ object: `group ${group}`, kind: 'group', id: group }];
  if (tier !== undefined) return [{ object: `tier ${tier}`, kind: 'tier', id: tier }];
  const ids = [...new Set(users)] as UserId[];
  return ids.map((id) => ({ object: `user ${id}`, kind: 'users', id }));
}

/** Objects of the stops that a target names; undefined for all with its name. */
export function objectsOf(target: SwitchTarget): readonly string[] | undefined {
  const { name, service, symbol } = target;
  if (name === 'accounts') return accountSetsOf(target).map(({ object }) => object);
  if (name === 'intake') return service === undefined ? undefined : [service];
  return symbol === undefined ? undefined : [symbol];
}

function invalid(name: SwitchName, problem: string): TargetRefused {
  return new Refused('switch_target_invalid', { switch: name, problem });
}
