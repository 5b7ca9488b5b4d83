// Checks the result of a dispatcher: every row is settled exactly as the log decided its position,
// and every engine balance is the naive sum of the settled requests.

import assert from 'node:assert/strict';
import { accountsOf } from '../../core/engine/index.ts';
import type { Event, Refusal } from '../../core/messages/index.ts';
import type { OwnConnection } from '../../infra/postgres/index.ts';
import type { ExchangeForTest, Numbered } from './exchange-for-test.ts';

export interface Judged {
  readonly positions: number;
  readonly refused: number;
  /** Copies in the log beyond the first of each position. */
  readonly copies: number;
}

export async function judgeMoney(exchange: ExchangeForTest): Promise<Judged> {
  const { session } = exchange;
  const { commands, events, replica } = await exchange.replay();
  const judged = await judgePositions(session, commands, events);
  judgeOnce(events);
  const naive = await naiveBalances(session);
  for (const { asset, availableAtoms, heldAtoms, owner } of accountsOf(replica.exchange)) {
    if (owner < 1) continue;
    const name = `${owner} ${asset}`;
    const { available = 0n, held = 0n } = naive.get(name) ?? {};
    assert.deepEqual([availableAtoms, heldAtoms], [available, held], `account ${name}`);
    naive.delete(name);
  }
  const left = [...naive].filter(([, { available, held }]) => available !== 0n || held !== 0n);
  assert.deepEqual(left, [], 'accounts that the engine does not have');
  return judged;
}

/** The order of the log alone decides which copy counts, not rejections. */
async function judgePositions(
  connection: OwnConnection,
  commands: readonly Numbered[],
  events: readonly Event[],
): Promise<Judged> {
  const refusals = new Map<number, Refusal>();
  const repeated = new Set<number>();
  for (const event of events) {
    if (event.kind === 'CommandRefused') refusals.set(event.command, event.refusal);
    if (event.kind === 'CommandRepeated') repeated.add(event.command);
  }
  const ends = new Map<number, number>();
  const counted = new Map<string, { number: number; refusal: string }>();
  let copies = 0;
  for (const { command, number } of commands) {
    if (!('channelSequence' in command) || repeated.has(number)) continue;
    const { channel, channelSequence } = command;
    const end = ends.get(channel) ?? 0;
    if (channelSequence !== end + 1) {
      copies++;
      continue;
    }
    ends.set(channel, channelSequence);
    const refusal = refusals.get(number) ?? 'none';
    counted.set(`${channel}.${channelSequence}`, { number, refusal });
  }
  const { rows } = await connection.query('select * from outbox order by channel, sequence');
  for (const row of rows) {
    const name = `${row.channel}.${row.sequence}`;
    const { number, refusal } = counted.get(name) ?? { number: 0, refusal: 'nothing' };
    const found = [row.state, row.refusal ?? 'none', Number(row.command_number)];
    const state = refusal === 'none' ? 'accepted' : 'refused';
    assert.deepEqual(found, [state, refusal, number], `position ${name}`);
    counted.delete(name);
  }
  assert.deepEqual([...counted.keys()], [], 'positions without a row');
  // Registry statements belong to no request, and the engine rejects them all.
  const asked = rows.filter((row) => !isStatement(row));
  const refused = asked.filter(({ state }) => state === 'refused').length;
  return { positions: asked.length, refused, copies };
}

function isStatement(row: { readonly kind: string; withdrawal_request: string | null }): boolean {
  return row.kind === 'CompleteWithdrawal' && row.withdrawal_request === null;
}

/** Checks that no withdrawal is opened, completed or canceled twice. */
function judgeOnce(events: readonly Event[]): void {
  const seen = new Set<string>();
  for (const event of events) {
    if (!('withdrawal' in event)) continue;
    const isEnd = event.kind !== 'WithdrawalOpened';
    const name = `${isEnd ? 'end' : 'opening'} of withdrawal ${event.withdrawal}`;
    assert.ok(!seen.has(name), `second ${name}`);
    seen.add(name);
  }
}

interface Balance {
  readonly available: bigint;
  readonly held: bigint;
}

/** Computes balances only from the request states. */
async function naiveBalances(connection: OwnConnection): Promise<Map<string, Balance>> {
  const balances = new Map<string, Balance>();
  const add = (row: { user_id: string }, asset: string, available: bigint, held: bigint) => {
    const name = `${row.user_id} ${asset}`;
    const before = balances.get(name) ?? { available: 0n, held: 0n };
    const after = { available: before.available + available, held: before.held + held };
    balances.set(name, after);
  };
  for (const row of (await connection.query('select * from deposit_requests')).rows) {
    assert.ok(['completed', 'refused'].includes(row.state), row.state);
    if (row.state === 'completed') add(row, row.asset_id, BigInt(row.amount_atoms), 0n);
  }
  for (const row of (await connection.query('select * from withdrawal_requests')).rows) {
    assert.ok(['approved', 'refused', 'completed', 'rejected'].includes(row.state), row.state);
    const isHeld = row.state === 'approved';
    if (!isHeld && row.state !== 'completed') continue;
    for (const [asset, text] of [
      [row.asset_id, row.amount_atoms],
      [row.fee_asset_id, row.fee_atoms],
    ]) {
      add(row, asset, -BigInt(text), isHeld ? BigInt(text) : 0n);
    }
  }
  return balances;
}
