// Kill switches as a table of things that can be stopped: what is stopped now, which stops are
// harder, and how many people must agree to undo one.

import type { Constants, SwitchState, SwitchStopIn } from '../../../client/index.ts';

export type SwitchName = SwitchState['name'];
export type Mode = NonNullable<SwitchStopIn['mode']>;
export type Service = NonNullable<SwitchStopIn['service']>;

export interface Target {
  readonly name: SwitchName;
  /** A pair or a coin. */
  readonly symbol?: string;
  readonly service?: Service;
}

export interface Stop {
  readonly target: Target;
  readonly object: string;
  readonly mode: string | null;
  readonly resumesTo: string | null;
  /** Null: the reconciliation stopped it. */
  readonly by: number | null;
  readonly at: string;
  readonly reason: string;
  readonly banner: string;
}

/** From the softest to the hardest stop of a market. */
export const MODES: readonly Mode[] = ['post-only', 'cancel-only', 'paused'];
export const SERVICES: readonly Service[] = [
  'gateway-http',
  'gateway-websocket',
  'outbox-dispatcher',
  'notifier',
];
/** The whole exchange, from the narrowest effect to the widest. */
export const WHOLE: readonly SwitchName[] = [
  'deposits',
  'withdrawals',
  'trading',
  'logins',
  'writes',
];

/** Everything that is stopped now, the newest first. */
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

/** The stop of exactly this target. */
export function stopOf(stops: readonly Stop[], target: Target): Stop | undefined {
  return stops.find((stop) => isSame(stop.target, target));
}

/** Modes that a stopped market can still be stopped with: a softer one is a resume. */
export function modesFrom(stop: Pick<Stop, 'mode'> | undefined): readonly Mode[] {
  const at = (MODES as readonly string[]).indexOf(stop?.mode ?? '');
  return at < 0 ? MODES : MODES.slice(at);
}

/** People besides the requester who must agree to undo it. */
export function peopleToResume({ name, service, symbol }: Target): 1 | 2 {
  if (name === 'accounts' || service !== undefined || symbol !== undefined) return 1;
  return 2;
}

/** Accounts are resumed by group, tier or user, which the name of the object says. */
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
