// An engine, a log and tables that agree, for the reconciliation tests. Only tests import it.

import { type Command, type Event, postingsOf, SCHEMA_VERSION } from '../../core/messages/index.ts';
import type { AssetId, Atoms, CommandNumber, TimeMs, UserId } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import { destinationHash } from '../../infra/signer-link/index.ts';
import { encodeRecord, type OutboxCommand } from '../../platform/outbox/index.ts';
import type {
  EngineAccount,
  EngineHold,
  EngineOrder,
  EngineState,
  EngineUser,
} from './engine-state.ts';
import { LogTail } from './log-tail.ts';

export const BTC = 1 as AssetId;
export const USDT = 2 as AssetId;
export const FRAME = 100;
export const SCHEMA = 'projection';
const SYMBOLS = ['btc', 'usdt'];

/** The test's engine; `framesOf` defines what has happened. */
export class EngineForTest implements EngineState {
  frame = FRAME;
  readonly log = new LogTail();
  accountsNow: EngineAccount[] = [];
  usersNow: EngineUser[] = [];
  ordersNow: EngineOrder[] = [];
  readonly holdsNow = new Map<number, EngineHold>();
  sequences: Record<number, number> = { 11: 3, 12: 2, 13: 2 };

  reach(frame: number): Promise<boolean> {
    return Promise.resolve(frame <= this.frame);
  }

  assetOf(asset: number): { symbol: string; scale: number } {
    return { symbol: SYMBOLS[asset - 1], scale: 8 };
  }

  accounts(): readonly EngineAccount[] {
    return this.accountsNow;
  }

  accountsAt(): readonly EngineAccount[] {
    return this.accountsNow;
  }

  holds(): ReadonlyMap<number, EngineHold> {
    return this.holdsNow;
  }

  channelSequence(channel: number): number {
    return this.sequences[channel] ?? 0;
  }

  users(): readonly EngineUser[] {
    return this.usersNow;
  }

  orders(): readonly EngineOrder[] {
    return this.ordersNow;
  }

  ordersChangedAfter(): ReadonlySet<number> {
    return new Set([99]);
  }
}

export function atoms(whole: number): Atoms {
  return BigInt(Math.round(whole * 1e8)) as Atoms;
}

export function accountsIn(asset: AssetId) {
  return (owner: number, available: number, held: number): EngineAccount => ({
    owner,
    asset,
    availableAtoms: atoms(available),
    heldAtoms: atoms(held),
  });
}

/** Accounts at the end of `stepsOf`. */
export function accountsAtEnd({ alice, bob }: People): EngineAccount[] {
  const [btc, usdt] = [accountsIn(BTC), accountsIn(USDT)];
  return [
    btc(alice, 3.25, 1.25),
    btc(bob, 0.499, 0),
    btc(-1, -5.5, 0),
    btc(-2, 0.501, 0),
    usdt(alice, 99, 0),
    usdt(bob, 200, 0),
    usdt(-1, -300, 0),
    usdt(-2, 1, 0),
  ];
}

export interface People {
  readonly alice: UserId;
  readonly bob: UserId;
}

/** A frame with one money command, its position, its requests, and the event that it caused. */
export interface Step {
  readonly channel: number;
  readonly sequence: number;
  readonly number: number;
  readonly command: OutboxCommand;
  readonly event: Event;
  readonly deposit?: number;
  readonly withdrawal?: number;
}

const TIME_MS = Date.UTC(2026, 0, 1);

type Place = readonly [channel: number, sequence: number, number: number];

function step(
  [channel, sequence, number]: Place,
  command: object,
  event: object,
  requests: Pick<Step, 'deposit' | 'withdrawal'> = {},
): Step {
  return {
    channel,
    sequence,
    number,
    command: command as OutboxCommand,
    event: { ...event, command: number } as Event,
    ...requests,
  };
}

function credit(place: Place, user: UserId, asset: AssetId, amount: number): Step {
  const deposit = place[1];
  const terms = { user, asset, amountAtoms: atoms(amount), reference: `d${deposit}` };
  const event = { kind: 'DepositCredited', ...terms };
  return step(place, { kind: 'CreditDeposit', ...terms }, event, { deposit });
}

/** The hold of Alice's open withdrawal 1, to the address of its request. */
export function openHold(alice: UserId): EngineHold {
  return {
    user: alice,
    asset: BTC,
    amountAtoms: atoms(1.25),
    feeAsset: BTC,
    feeAtoms: atoms(0),
    destination: destinationHash(1, '', 'a'),
  };
}

/**
 * Alice deposits 7 btc, withdraws 1.5 with a fee of 0.5, and holds 1.25 for another withdrawal. Bob
 * deposits 300 usdt, buys 1 btc of alice for 100 with fees of 0.001 and 1, and sends her 0.5 back.
 */
function stepsOf({ alice, bob }: People): readonly Step[] {
  const hold = (withdrawal: number, amount: number, fee: number) => ({
    withdrawal,
    user: alice,
    asset: BTC,
    amountAtoms: atoms(amount),
    feeAsset: BTC,
    feeAtoms: atoms(fee),
    destination: '',
  });
  const open = (place: Place, terms: ReturnType<typeof hold>): Step => {
    const { withdrawal } = terms;
    const event = { kind: 'WithdrawalOpened', ...terms };
    return step(place, { kind: 'OpenWithdrawal', ...terms }, event, { withdrawal });
  };
  const paid = { withdrawal: 2, reference: 'w21' };
  const completed = { kind: 'WithdrawalCompleted', ...hold(2, 1.5, 0.5), ...paid };
  const terms = { sender: bob, receiver: alice, asset: BTC, amountAtoms: atoms(0.5) };
  const sent = { ...terms, reference: 't3' };
  return [
    credit([12, 1, 11], alice, BTC, 7),
    open([11, 1, 21], hold(2, 1.5, 0.5)),
    step([11, 2, 22], { kind: 'CompleteWithdrawal', ...paid }, completed, { withdrawal: 2 }),
    open([11, 3, 31], hold(1, 1.25, 0)),
    credit([12, 2, 41], bob, USDT, 300),
    tradeOf({ alice, bob }),
    step(
      [13, 2, 61],
      { kind: 'TransferAsset', ...sent },
      { kind: 'AssetTransferred', ...sent },
      {
        deposit: 3,
        withdrawal: 3,
      },
    ),
  ];
}

function tradeOf({ alice, bob }: People): Step {
  const terms = { market: 1, maker: alice, taker: bob, takerSide: 'buy', priceTicks: 100 };
  const rates = { makerFeePpm: 10_000, takerFeePpm: 1_000 };
  return step(
    [13, 1, 51],
    { kind: 'TradeDirectly', ...terms, ...rates, sizeLots: 1 },
    {
      kind: 'TradeExecuted',
      ...terms,
      trade: 1,
      base: BTC,
      quote: USDT,
      sizeLots: 1,
      makerOrder: 0,
      takerOrder: 0,
      makerRemainingLots: 0,
      takerRemainingLots: 0,
      baseAtoms: atoms(1),
      quoteAtoms: atoms(100),
      makerFeeAtoms: atoms(1),
      takerFeeAtoms: atoms(0.001),
      releasedAtoms: atoms(0),
      house: false,
      quick: true,
    },
  );
}

/** Fills the engine's log, the projected tables and the registry with the same data. */
export async function fillTables(
  connection: Connection,
  people: People,
  engine: EngineForTest,
): Promise<void> {
  const steps = stepsOf(people);
  writeLog(engine.log, steps);
  for (const text of projected(people, engine)) await connection.query(text);
  for (const [index, { event }] of steps.entries()) {
    await addEntries(connection, event, index + 1);
  }
  for (const text of requested(people)) await connection.query(text);
  for (const [index, step] of steps.entries()) await addOutboxRow(connection, step, index + 1);
  await connection.query(
    `update transfer_changes set published_at = now(), mailed_at = now(),
       changed_at = now() - interval '5 minutes'`,
  );
}

function writeLog(log: LogTail, steps: readonly Step[]): void {
  log.start({ sequence: 0, commandsApplied: 0, channelSequences: [] });
  for (const [index, step] of steps.entries()) logStep(log, step, index + 1);
  logFrame(log, FRAME, { commands: [], events: [], firstCommand: 62 });
}

function logStep(log: LogTail, step: Step, frame: number): void {
  const { channel, command, event, number, sequence } = step;
  const whole = { ...command, source: 1, number: 1, channel, channelSequence: sequence };
  logFrame(log, frame, {
    commands: [whole as Command],
    events: [event],
    firstCommand: number,
    positions: { [channel]: sequence },
  });
}

function logFrame(
  log: LogTail,
  sequence: number,
  part: {
    readonly commands: readonly Command[];
    readonly events: readonly Event[];
    readonly firstCommand: number;
    readonly positions?: Record<number, number>;
  },
): void {
  const timeMs = (TIME_MS + sequence) as TimeMs;
  const { commands, events, firstCommand, positions = {} } = part;
  const frame = { sequence, epoch: 1, timeMs, previousHash: new Uint8Array(), commands };
  const output = { sequence, timeMs, firstCommand: firstCommand as CommandNumber, events };
  log.add(frame, output, positions as unknown as ArrayLike<number>);
}

/** Adds a frame to the log, the engine and all tables except that of requests. */
export async function addStep(
  connection: Connection,
  engine: EngineForTest,
  step: Step,
): Promise<void> {
  const frame = ++engine.frame;
  logStep(engine.log, step, frame);
  engine.sequences = { ...engine.sequences, [step.channel]: step.sequence };
  await connection.query('update channels set last_assigned = $2 where channel = $1', [
    step.channel,
    step.sequence,
  ]);
  await addEntries(connection, step.event, frame);
  await addOutboxRow(connection, step, frame);
  for (const { amountAtoms, asset, from, to } of postingsOf(step.event)) {
    for (const [{ owner, part }, change] of [
      [from, -amountAtoms],
      [to, amountAtoms],
    ] as const) {
      engine.accountsNow = engine.accountsNow.map((one) => {
        if (one.owner !== owner || one.asset !== asset) return one;
        const name = part === 'available' ? 'availableAtoms' : 'heldAtoms';
        return { ...one, [name]: one[name] + change };
      });
      await connection.query(
        `update ${SCHEMA}.balances set ${part}_atoms = ${part}_atoms + $1
         where owner = $2 and asset_id = $3`,
        [change, owner, asset],
      );
    }
  }
  await connection.query(`update ${SCHEMA}.projection set frame_sequence = $1`, [frame]);
}

async function addEntries(connection: Connection, event: Event, frame: number): Promise<void> {
  for (const [index, { amountAtoms, asset, cause, from, to }] of postingsOf(event).entries()) {
    const changes = new Map<number, { available: bigint; held: bigint }>();
    for (const [{ owner, part }, change] of [
      [from, -amountAtoms],
      [to, amountAtoms],
    ] as const) {
      const of = changes.get(owner) ?? { available: 0n, held: 0n };
      of[part] += change;
      changes.set(owner, of);
    }
    for (const [owner, { available, held }] of changes) {
      await connection.query(
        `insert into ${SCHEMA}.ledger_entries (owner, asset_id, frame, event_index, posting_index,
           available_change_atoms, held_change_atoms, cause_kind, cause_id, command, reference,
           recorded_at)
         values ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          owner,
          asset,
          frame,
          index,
          available,
          held,
          cause.kind,
          cause.id,
          event.command,
          'reference' in event ? event.reference : null,
          new Date(TIME_MS + frame),
        ],
      );
    }
  }
}

async function addOutboxRow(connection: Connection, step: Step, frame: number): Promise<void> {
  const { channel, command, deposit, number, sequence, withdrawal } = step;
  await connection.query(
    `insert into outbox (channel, sequence, kind, schema_version, record, state, frame,
       command_number, settled_at, deposit_request, withdrawal_request)
     values ($1, $2, $3, $4, $5, 'accepted', $6, $7, now(), $8, $9)`,
    [
      channel,
      sequence,
      command.kind,
      SCHEMA_VERSION,
      encodeRecord({ channel, sequence: 0, command }),
      frame,
      number,
      deposit ?? null,
      withdrawal ?? null,
    ],
  );
}

function projected({ alice, bob }: People, { accountsNow }: EngineForTest): string[] {
  const at = `to_timestamp(${TIME_MS + 6} / 1000.0)`;
  const balances = accountsNow.map(
    ({ asset, availableAtoms, heldAtoms, owner }) =>
      `(${owner}, ${asset}, ${availableAtoms}, ${heldAtoms}, now(), 1)`,
  );
  const fill = (user: number, liquidity: string, side: string, asset: number, fee: number) =>
    `(${user}, 1, '${liquidity}', 1, '${side}', 100, 1, ${atoms(100)}, 0, ${asset}, ${atoms(fee)},
      true, ${at})`;
  return [
    ...['ledger_entries', 'trades', 'fills', 'orders'].map(
      (table) => `create table ${SCHEMA}.${table}_of_test partition of ${SCHEMA}.${table} default`,
    ),
    `insert into ${SCHEMA}.assets values (1, 'btc', 8, 0, now()), (2, 'usdt', 8, 0, now())`,
    `insert into ${SCHEMA}.markets (id, name, base_id, quote_id, lot_atoms, tick_mantissa,
       tick_scale, tick_lot_atoms, min_price_ticks, max_price_ticks, min_size_lots, max_size_lots,
       reference_ticks, status, listed_at, updated_at)
     values (1, 'btc-usdt', 1, 2, 1, 1, 0, 1, 1, 1, 1, 1, 0, 'full', now(), now())`,
    `insert into ${SCHEMA}.projection (events_sequence, chain_hash, frame_sequence, part,
       is_complete, frame_events, projected_to, orders_per_partition)
     values (1, decode(repeat('00', 32), 'hex'), ${FRAME}, 0, true, 1, now(), 1000)`,
    `insert into ${SCHEMA}.balances values ${balances.join(', ')}`,
    `insert into ${SCHEMA}.deposits values
       (11, 'deposit', ${alice}, 1, ${atoms(7)}, 'd1', now()),
       (41, 'deposit', ${bob}, 2, ${atoms(300)}, 'd2', now())`,
    `insert into ${SCHEMA}.withdrawals values
       (21, 'withdrawal', 2, ${alice}, 1, ${atoms(1.5)}, 1, ${atoms(0.5)}, 'completed', 'w21',
        now(), now()),
       (31, 'withdrawal', 1, ${alice}, 1, ${atoms(1.25)}, 1, 0, 'open', '', now(), now())`,
    `insert into ${SCHEMA}.trades values (1, 1, 1, 2, 'buy', 100, 1, 0, 0, ${alice}, ${bob},
       ${atoms(1)}, ${atoms(100)}, ${atoms(1)}, ${atoms(0.001)}, false, true, 51, 6, ${at})`,
    `insert into ${SCHEMA}.fills values ${fill(alice, 'maker', 'sell', 2, 1)},
       ${fill(bob, 'taker', 'buy', 1, 0.001)}`,
    `insert into ${SCHEMA}.orders (number, user_id, key_id, market_id, side, type, time_in_force,
       self_trade, post_only, quick, price_ticks, size_lots, stop_ticks, maker_fee_ppm,
       taker_fee_ppm, filled_lots, filled_quote_atoms, fee_atoms, status, client_order_id, note,
       created_at, created_frame, updated_at, updated_frame)
     values (70, ${alice}, 1, 1, 'buy', 'limit', 'GTC', 'off', false, false, 100, 5, 0, 0, 0, 1,
       100, 0, 'pfilled', '', '', now(), 1, now(), 1)`,
  ];
}

function requested({ alice, bob }: People): string[] {
  const withdrawal = (kind: string, user: number, amount: number, fee: number): string =>
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state)
     values ('${kind}', ${user}, 1, 'btc', 8, ${atoms(amount)}, 1, 'btc', 8, ${atoms(fee)}, 'a',
       'w${amount}', 'opening')`;
  const deposit = (kind: string, user: number, asset: string, amount: number, command: number) =>
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
       transaction_id, state, command)
     values ('${kind}', ${user}, ${asset === 'btc' ? 1 : 2}, '${asset}', 8, ${atoms(amount)}, 'a',
       'd${command}', 'completed', ${command})`;
  return [
    `insert into coins (symbol, fullname, allow_deposit, allow_withdrawal)
     values ('btc', 'Bitcoin', true, true), ('usdt', 'Tether', true, true)`,
    withdrawal('withdrawal', alice, 1.25, 0),
    withdrawal('withdrawal', alice, 1.5, 0.5),
    withdrawal('transfer', bob, 0.5, 0),
    `update withdrawal_requests set state = case id when 1 then 'approved' else 'completed' end,
       command = case id when 1 then 31 when 2 then 21 else 61 end`,
    deposit('deposit', alice, 'btc', 7, 11),
    deposit('deposit', bob, 'usdt', 300, 41),
    deposit('transfer', alice, 'btc', 0.5, 61),
    'insert into channels values (11, 3), (12, 2), (13, 2)',
    `insert into declared_holdings values ('btc', 4.999, 'cold wallet', ${alice}, now())`,
  ];
}
