// Kill switches: an operator stops trading, deposits or withdrawals, of everything or of one market
// or coin. One person stops. Resuming needs others, and gives back what the stop took.

import type { MarketStatus } from '../../core/messages/index.ts';
import type { MarketId } from '../../core/money/index.ts';
import { appendEngineCommand, readUnprojectedCommands } from '../engine-commands/index.ts';
import { isOpen, readMarkets, requireAsset, requireMarket } from '../market-acts/index.ts';
import {
  type Act,
  type ActContext,
  ActRefused,
  defineAct,
  type Power,
} from '../operators/index.ts';
import { readSwitches, type Stop } from './switches.ts';

export type SwitchTarget = {
  readonly name: 'trading' | 'deposits' | 'withdrawals';
  /** A market or a coin; absent: all of them. */
  readonly symbol?: string;
};

export type SwitchResult = {
  readonly name: SwitchTarget['name'];
  /** The markets or coins that it changed. */
  readonly symbols: readonly string[];
  readonly commands: readonly number[];
};

/** The status of a market that a switch stopped: orders can be cancelled. */
const STOPPED: MarketStatus = 'cancel-only';

const COLUMNS = { deposits: 'allow_deposit', withdrawals: 'allow_withdrawal' } as const;

export const STOP: Act<SwitchTarget, SwitchResult> = defineAct({
  name: 'switch.stop',
  votePower: 'approve.config',
  async assess(context, target) {
    requirePower(context, 'switch.stop');
    await checkTarget(context, target);
    return {
      object: objectOf(target),
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [{ label: 'Stops', value: objectOf(target) }],
    };
  },
  async execute(context, target) {
    const { name } = target;
    const symbols: string[] = [];
    const commands: number[] = [];
    if (name === 'trading') {
      for (const { market, status, symbol } of await marketsOf(context, target)) {
        // Also a closed one gets its status: the last command of the queue closes every market.
        commands.push(await setStatus(context, market, isOpen(status) ? STOPPED : status));
        if (!isOpen(status)) continue;
        await recordStop(context, { name, object: symbol, resumesTo: status });
        symbols.push(symbol);
      }
      if (target.symbol === undefined) commands.push(...(await stopListings(context)));
    } else {
      for (const symbol of await closeCoins(context, { ...target, name })) {
        await recordStop(context, { name, object: symbol, resumesTo: '' });
        symbols.push(symbol);
      }
    }
    const result = { name, symbols, commands };
    return { result, after: { ...result }, effects: { dispatcher: true, catalogue: true } };
  },
});

export const RESUME: Act<SwitchTarget, SwitchResult> = defineAct({
  name: 'switch.resume',
  votePower: 'approve.config',
  async assess(context, target) {
    requirePower(context, 'switch.resume');
    const stopped = await stoppedOf(context, target);
    return {
      object: objectOf(target),
      objectVersion: stopped.map(({ object }) => object).join(' '),
      approvals: target.symbol === undefined ? 2 : 1,
      beneficiaries: [],
      shown: stopped.map(({ name, object, resumesTo }) => ({
        label: `Resumes ${name}`,
        value: resumesTo === '' ? object : `${object}: ${resumesTo}`,
      })),
    };
  },
  async execute(context, target) {
    const { connection } = context;
    const { name } = target;
    const commands: number[] = [];
    const stopped = await stoppedOf(context, target);
    const symbols = stopped.map(({ object }) => object);
    if (name === 'trading') {
      for (const { object, resumesTo } of stopped) {
        const { market } = await requireMarket(context, object);
        commands.push(await setStatus(context, market, resumesTo as MarketStatus));
      }
    } else {
      await connection.query(
        `update coins set ${COLUMNS[name]} = true, updated_at = now() where symbol = any($1)`,
        [symbols],
      );
    }
    await connection.query('delete from stops where name = $1 and object = any($2)', [
      name,
      symbols,
    ]);
    const result = { name, symbols, commands };
    return { result, after: { ...result }, effects: { dispatcher: true, catalogue: true } };
  },
});

function requirePower({ operator }: ActContext, power: Power): void {
  if (!operator.powers.has(power)) throw new ActRefused('power_missing', { power });
}

async function checkTarget(context: ActContext, { name, symbol }: SwitchTarget): Promise<void> {
  if (symbol === undefined) return;
  if (name === 'trading') await requireMarket(context, symbol);
  else await requireAsset(context, symbol);
}

async function marketsOf(context: ActContext, { symbol }: SwitchTarget) {
  const markets = await readMarkets(context);
  return symbol === undefined ? markets : markets.filter((one) => one.symbol === symbol);
}

function objectOf({ name, symbol }: SwitchTarget): string {
  return `${name} ${symbol ?? 'of everything'}`;
}

/** A coin without a row has both closed. */
async function closeCoins(
  { connection }: ActContext,
  { name, symbol }: { readonly name: keyof typeof COLUMNS; readonly symbol?: string },
): Promise<string[]> {
  const column = COLUMNS[name];
  const { rows } = await connection.query(
    `update coins set ${column} = false, updated_at = now()
     where ${column} and ($1::text is null or symbol = $1) returning symbol`,
    [symbol ?? null],
  );
  return rows.map((row) => row.symbol as string).sort();
}

async function recordStop(
  { connection, nowMs, operator }: ActContext,
  { name, object, resumesTo }: Pick<Stop, 'name' | 'object' | 'resumesTo'>,
): Promise<void> {
  const mode = name === 'trading' ? STOPPED : '';
  await connection.query(
    `insert into stops (name, object, previous, mode, stopped_by, stopped_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (name, object) do nothing`,
    [name, object, resumesTo, mode, operator.user, new Date(nowMs)],
  );
}

async function stoppedOf(
  { connection }: ActContext,
  { name, symbol }: SwitchTarget,
): Promise<Stop[]> {
  const { stops } = await readSwitches(connection);
  const stopped = stops.filter(
    (one) => one.name === name && (symbol === undefined || one.object === symbol),
  );
  if (stopped.length === 0) throw new ActRefused('nothing_stopped', { switch: name });
  return stopped;
}

/** Markets that are being listed open no more. */
async function stopListings({ connection, exchange }: ActContext): Promise<number[]> {
  const { projectionSchema } = exchange;
  const listings = await readUnprojectedCommands(connection, {
    kinds: ['ListMarket'],
    projectionSchema,
  });
  const commands: number[] = [];
  for (const { id: follows } of listings) {
    const command = { kind: 'SetMarketStatus', market: 0 as MarketId, status: STOPPED } as const;
    commands.push(await appendEngineCommand(connection, command, { follows }));
  }
  return commands;
}

function setStatus(
  { connection }: ActContext,
  market: MarketId,
  status: MarketStatus,
): Promise<number> {
  return appendEngineCommand(connection, { kind: 'SetMarketStatus', market, status });
}
