// Kill switches as a table of targets: active stops, stricter modes, and the number of approvals
// needed to undo a stop.

import type { Constants, SwitchState, SwitchStopIn } from '../../../client/index.ts';

export type SwitchName = SwitchState['name'];
export type Mode = NonNullable<SwitchStopIn['mode']>;
export type Service = NonNullable<SwitchStopIn['service']>;

export interface Target {
  readonly name: SwitchName;
  /** A market or an asset. */
  readonly symbol?: string;
  readonly service?: Service;
}

export interface Stop {
  readonly target: Target;
  readonly object: string;
  readonly mode: string | null;
  readonly resumesTo: string | null;
  /** Null if reconciliation stopped it. */
  readonly by: number | null;
  readonly at: string;
  readonly reason: string;
  readonly banner: string;
}

/** Market modes, from the mildest to the strictest. */
export const MODES: readonly Mode[] = ['post-only', 'cancel-only', 'paused'];
export const SERVICES: readonly Service[] = [
  'gateway-http',
  'gateway-websocket',
  'outbox-dispatcher',
  'notifier',
  'chain-watcher',
];
/** Exchange-wide switches, from the narrowest effect to the widest. */
export const WHOLE: readonly SwitchName[] = [
  'deposits',
  'withdrawals',
  'trading',
  'logins',
  'writes',
];

/** Returns all active stops, newest first. */
export function stopsOf(switches: readonly SwitchState[]): readonly Stop[] {
  return switches
    .flatMap(({ name, stopped }) =>
      stopped.map((stop) => ({
        target: targetOf(name, stop.object),
        object: stop.object,
        mode: stop.mode,
        resumesTo: stop.resumes_to,
        by: stop.stopped_by,
        at: stop.stopped_at,
        reason: stop.reason,
        banner: stop.banner,
      })),
    )
    .toSorted((one, other) => other.at.localeCompare(one.at));
}

function targetOf(name: SwitchName, object: string): Target {
  if (object === '') return { name };
  const service = SERVICES.find((one) => one === object);
  if (name === 'intake' && service !== undefined) return { name, service };
  return { name, symbol: object };
}

export function isSame(one: Target, other: Target): boolean {
  return one.name === other.name && one.symbol === other.symbol && one.service === other.service;
}

/** Returns the stop of exactly this target. */
export function stopOf(stops: readonly Stop[], target: Target): Stop | undefined {
  return stops.find((stop) => isSame(stop.target, target));
}

/** Returns the modes available for a stop. A stopped market cannot change to a milder mode. */
export function modesFrom(stop: Pick<Stop, 'mode'> | undefined): readonly Mode[] {
  const at = (MODES as readonly string[]).indexOf(stop?.mode ?? '');
  return at < 0 ? MODES : MODES.slice(at);
}

/** Returns the number of approvals needed from other operators. */
export function peopleToResume({ name, service, symbol }: Target): 1 | 2 {
  if (name === 'accounts' || service !== undefined || symbol !== undefined) return 1;
  return 2;
}

/** Returns the resume request. Accounts resume by group, tier or user, as in the object's name. */
export function resumeBodyOf({ object, target }: Pick<Stop, 'object' | 'target'>) {
  if (target.name !== 'accounts') return { ...target };
  const [, kind, number] = /^(group|tier|user) (\d+)$/.exec(object) ?? [];
  const id = Number(number);
  if (kind === 'group') return { name: target.name, group: id };
  if (kind === 'tier') return { name: target.name, tier: id };
  return { name: target.name, users: [id] };
}

export interface MarketRow {
  readonly symbol: string;
  readonly status: string;
  readonly stop: Stop | undefined;
}

export function marketRows(constants: Constants, stops: readonly Stop[]): readonly MarketRow[] {
  return Object.entries(constants.pairs)
    .map(([symbol, { status }]) => ({
      symbol,
      status,
      stop: stopOf(stops, { name: 'trading', symbol }),
    }))
    .toSorted((one, other) => one.symbol.localeCompare(other.symbol));
}

export interface CoinRow {
  readonly symbol: string;
  readonly deposits: boolean;
  readonly withdrawals: boolean;
  readonly stops: Readonly<Record<'deposits' | 'withdrawals', Stop | undefined>>;
}

export function coinRows(constants: Constants, stops: readonly Stop[]): readonly CoinRow[] {
  return Object.entries(constants.coins)
    .map(([symbol, coin]) => ({
      symbol,
      deposits: coin.allow_deposit,
      withdrawals: coin.allow_withdrawal,
      stops: {
        deposits: stopOf(stops, { name: 'deposits', symbol }),
        withdrawals: stopOf(stops, { name: 'withdrawals', symbol }),
      },
    }))
    .toSorted((one, other) => one.symbol.localeCompare(other.symbol));
}
