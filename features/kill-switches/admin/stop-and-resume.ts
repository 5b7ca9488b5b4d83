// Actions of kill switches. A stop needs no approval. Resuming needs approval and restores exactly
// what the stop took. The audit entry of a stop has the numbers it affects.

import type { UserId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, type ActEffects, defineAct, type Power } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import type { SwitchName } from '../api/switches.ts';
import { freezeAccounts, refuseOdd, unfreezeAccounts } from './account-stops.ts';
import { readImpact } from './impact.ts';
import { isSofter, marketsOf, refuseSofter, resumeMarkets, stopMarkets } from './market-stops.ts';
import {
  accountSetsOf,
  checkReason,
  checkTarget,
  describeTarget,
  objectsOf,
  type ResumeOrder,
  type StopOrder,
  type SwitchTarget,
} from './switch-target.ts';
import { readSwitches, type Stop } from './switches.ts';

export type SwitchResult = {
  readonly name: SwitchName;
  /** Markets, coins, services or accounts that it changed. */
  readonly objects: readonly string[];
  /** Queued commands that the engine must accept before the action takes effect. */
  readonly commands: readonly number[];
  /** Number of frozen or unfrozen accounts. */
  readonly accounts: number;
};

const COLUMNS = { deposits: 'allow_deposit', withdrawals: 'allow_withdrawal' } as const;

/** Per impact statement. */
const IMPACT_TIMEOUT_MS = 500;
/** Above this number, every gateway reads all access again instead of one user after another. */
const ACCESS_ONE_BY_ONE_MAX = 100;

export const STOP = defineAct({
  name: 'switch.stop',
  votePower: 'approve.config',
  async prepare(context: ActContext, order: StopOrder) {
    const refusal =
      checkPower(context, 'switch.stop') ??
      checkReason(order) ??
      (await checkTarget(context, order)) ??
      (await checkStop(context, order));
    if (refusal !== undefined) return refusal;
    const object = describeTarget(order);
    return {
      object,
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [{ label: 'Stops', value: object }],

      async run() {
        const { name } = order;
        const before = await impactOf(context, order);
        const { accounts, commands, stopped } = await stop(context, order);
        const objects: string[] = [];
        for (const one of stopped) {
          if (await recordStop(context, order, one)) objects.push(one.object);
        }
        const result: SwitchResult = { name, objects, commands, accounts: accounts.length };
        const { banner = '', mode = null, reason = '' } = order;
        return {
          result,
          before,
          after: { ...result, mode, reason, banner },
          effects: effectsOf(accounts),
        };
      },
    };
  },
});

export const RESUME = defineAct({
  name: 'switch.resume',
  votePower: 'approve.config',
  async prepare(context: ActContext, order: ResumeOrder) {
    const refusal = checkPower(context, 'switch.resume') ?? (await checkTarget(context, order));
    if (refusal !== undefined) return refusal;
    const stops = await stopsOf(context, order);
    if (stops instanceof Refused) return stops;
    const markets = order.name === 'trading' ? await marketsOf(context, stops) : [];
    if (markets instanceof Refused) return markets;
    return {
      object: describeTarget(order),
      // A stop that was pulled again in the meantime needs new votes.
      objectVersion: stops
        .map(({ mode, object, stoppedAt }) => `${object} ${mode} ${stoppedAt.getTime()}`)
        .join(', '),
      approvals: isEverything(order) ? 2 : 1,
      beneficiaries: [],
      shown: stops.map(({ name, object, reason, resumesTo }) => ({
        label: `Resumes ${name}`,
        value: `${object} ${order.mode ?? resumesTo} (${reason})`.replace(' ()', '').trim(),
      })),

      async run() {
        const { mode, name } = order;
        const objects = stops.map(({ object }) => object);
        const commands = await resumeMarkets(context, markets, mode);
        const accounts = await resume(context, order, objects);
        const result: SwitchResult = { name, objects, commands, accounts: accounts.length };
        return {
          result,
          before: { stops: stops.map(recordedStop) },
          after: { ...result, mode: mode ?? null },
          effects: effectsOf(accounts),
        };
      },
    };
  },
});

/** Resumes everything except markets. Returns the unfrozen accounts. */
async function resume(
  { connection, nowMs }: ActContext,
  { mode, name }: ResumeOrder,
  objects: readonly string[],
): Promise<readonly UserId[]> {
  const accounts = name === 'accounts' ? await unfreezeAccounts(connection, objects, nowMs) : [];
  if (name === 'deposits' || name === 'withdrawals') {
    await connection.query(
      `update coins set ${COLUMNS[name]} = true, updated_at = now() where symbol = any($1)`,
      [objects],
    );
  }
  if (mode === undefined) {
    await connection.query('delete from stops where name = $1 and object = any($2)', [
      name,
      objects,
    ]);
  } else {
    await connection.query('update stops set mode = $3 where name = $1 and object = any($2)', [
      name,
      objects,
      mode,
    ]);
  }
  return accounts;
}

/** A stop never fails because its numbers take too long; it then records none. */
async function impactOf(context: ActContext, order: StopOrder): Promise<JsonObject> {
  const { connection } = context;
  await connection.query('savepoint impact');
  try {
    await connection.query(`set local statement_timeout = ${IMPACT_TIMEOUT_MS}`);
    return { ...(await readImpact(context, order)) };
  } catch {
    return { impact: 'unknown' };
  } finally {
    // It only reads; this also restores the transaction's own timeout.
    await connection.query('rollback to savepoint impact');
  }
}

function checkPower({ operator }: ActContext, power: Power): Refused<'power_missing'> | undefined {
  return operator.powers.has(power) ? undefined : new Refused('power_missing', { power });
}

async function checkStop(context: ActContext, order: StopOrder) {
  if (order.name === 'trading') return refuseSofter(context, order);
  if (order.name === 'accounts') return refuseOdd(context.connection, accountSetsOf(order));
  return undefined;
}

/** A stop of one object. `status` is a market's previous status; '' for everything else. */
interface NewStop {
  readonly object: string;
  readonly mode: Stop['mode'];
  readonly status: Stop['resumesTo'];
  /** Nothing changes, but an active stop is pulled again. */
  readonly isRepeated: boolean;
}

async function stop(context: ActContext, order: StopOrder) {
  const { name } = order;
  if (name === 'trading') {
    const { commands, stopped } = await stopMarkets(context, order);
    return {
      commands,
      accounts: [],
      stopped: stopped.map((one) => ({ ...one, isRepeated: one.status === one.mode })),
    };
  }
  if (name === 'accounts') {
    const { stopped, accounts } = await stopAccounts(context, order);
    return { commands: [], accounts, stopped };
  }
  if (name === 'deposits' || name === 'withdrawals') {
    return { commands: [], accounts: [], stopped: await stopCoins(context, { ...order, name }) };
  }
  return { commands: [], accounts: [], stopped: [newStop(order.service ?? '')] };
}

async function stopAccounts({ connection, nowMs }: ActContext, order: StopOrder) {
  const sets = accountSetsOf(order);
  const accounts = [];
  for (const set of sets) accounts.push(...(await freezeAccounts(connection, set, nowMs)));
  return { accounts, stopped: sets.map(({ object }) => newStop(object)) };
}

/** Open coins, and those already stopped by a switch. A coin without a row is closed. */
async function stopCoins(
  { connection }: ActContext,
  { name, symbol }: { readonly name: keyof typeof COLUMNS; readonly symbol?: string },
): Promise<NewStop[]> {
  const column = COLUMNS[name];
  const { rows } = await connection.query(
    `update coins c set ${column} = false, updated_at = now()
     where c.${column} and ($1::text is null or c.symbol = $1) returning c.symbol`,
    [symbol ?? null],
  );
  const closed = rows.map((row) => row.symbol as string).sort();
  const { stops } = await readSwitches(connection);
  const again = stops.filter(
    (one) => one.name === name && (symbol === undefined || one.object === symbol),
  );
  return [
    ...closed.map((object) => newStop(object)),
    ...again.map(({ object }) => newStop(object, { isRepeated: true })),
  ];
}

function newStop(object: string, { isRepeated = false } = {}): NewStop {
  return { object, mode: '', status: '', isRepeated };
}

/** Records the last pull. Returns false if no stop begins or is pulled again. */
async function recordStop(
  { connection, nowMs, operator }: ActContext,
  { banner, name, reason }: StopOrder,
  { isRepeated, mode, object, status }: NewStop,
): Promise<boolean> {
  const { rowCount } = isRepeated
    ? await connection.query(
        `update stops set stopped_by = $3, stopped_at = $4, reason = coalesce($5, reason),
           banner = coalesce($6, banner) where name = $1 and object = $2`,
        [name, object, operator.user, new Date(nowMs), reason ?? null, banner ?? null],
      )
    : await connection.query(
        `insert into stops as s
           (name, object, stopped_by, stopped_at, reason, banner, mode, previous)
         values ($1, $2, $3, $4, coalesce($5, ''), coalesce($6, ''), $7, $8)
         on conflict (name, object) do update set mode = excluded.mode,
           stopped_by = excluded.stopped_by, stopped_at = excluded.stopped_at,
           reason = coalesce($5, s.reason), banner = coalesce($6, s.banner)`,
        [
          name,
          object,
          operator.user,
          new Date(nowMs),
          reason ?? null,
          banner ?? null,
          mode,
          status,
        ],
      );
  return rowCount === 1;
}

async function stopsOf({ connection }: ActContext, order: ResumeOrder) {
  const { mode, name } = order;
  const { stops } = await readSwitches(connection);
  const objects = objectsOf(order);
  const meant = stops.filter(
    (one) => one.name === name && (objects === undefined || objects.includes(one.object)),
  );
  const found = mode === undefined ? meant : meant.filter((one) => isSofter(one, mode));
  return found.length === 0 ? new Refused('nothing_stopped', { switch: name }) : found;
}

/** All markets or coins, or a switch for the entire exchange. */
function isEverything(target: SwitchTarget): boolean {
  const { name, service, symbol } = target;
  return name !== 'accounts' && symbol === undefined && service === undefined;
}

function recordedStop({
  banner,
  mode,
  name,
  object,
  reason,
  resumesTo,
  stoppedAt,
  stoppedBy,
}: Stop) {
  return {
    name,
    object,
    mode,
    resumes_to: resumesTo,
    reason,
    banner,
    stopped_by: stoppedBy ?? null,
    stopped_at: stoppedAt.toISOString(),
  };
}

function effectsOf(accounts: readonly UserId[]): ActEffects {
  const whole = { dispatcher: true, catalogue: true, switches: true } as const;
  if (accounts.length === 0) return whole;
  return accounts.length > ACCESS_ONE_BY_ONE_MAX
    ? { ...whole, roles: true }
    : { ...whole, accessOf: accounts };
}
