// Runs actions on real tables for tests: a registry with two coins, and a market in the projected
// tables.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { inTransaction, migrate } from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { readWaitingEngineCommands } from '../../../platform/outbox/index.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { createUser } from '../../accounts/index.ts';
import { prepareForTest, runForTest } from '../../approvals/act-for-test.ts';
import type { Act, ActContext, Power } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';

export const PAIR = {
  increment_size: '0.0001',
  increment_price: '0.01',
  max_size: '100',
  max_price: '1000000',
  status: 'full',
  band: '10',
  estimated_price: '100',
  slippage: '5',
  maker_fee: '0.5',
  taker_fee: '0.5',
} as const;

// biome-ignore lint/suspicious/noExplicitAny: acts with different payloads.
export type AnyAct = Act<any, any, string>;

export interface Stage {
  readonly context: ActContext;
  /** Statements in the projected tables. */
  project(text: string): Promise<unknown>;
  approvals(act: AnyAct, payload: JsonObject): Promise<number | string>;
  execute(act: AnyAct, payload: JsonObject): Promise<JsonObject>;
  /** Pending commands, abbreviated. */
  commands(): Promise<string[]>;
}

export async function openStage(
  ending: TestContext,
  powers: readonly Power[] = ['switch.stop', 'switch.resume'],
): Promise<Stage> {
  const postgres = await startPostgresForTest(ending);
  const connection = await postgres.session('registry');
  await migrate(connection, 'registry', readRegistryMigrations());
  const projections = await postgres.schema('rialto');
  const operator = await createUser(connection, { email: 'operator@example.com', role: 'admin' });
  assert.ok(typeof operator === 'object');
  const context = {
    connection,
    exchange: { name: 'Rialto', projectionSchema: 'rialto' },
    nowMs: Date.parse('2026-11-16T00:00:00Z'),
    operator: { user: operator.id as UserId, powers: new Set(powers) },
  } as unknown as ActContext;
  await projections.query(`
    insert into assets values (1, 'btc', 8, 100000000000, now()), (2, 'usdt', 6, 1000, now());
    insert into markets values (1, 'btc-usdt', 1, 2, 10000, 1, 2, 1, 2, 100000000, 1, 1000000,
      6000000, 100000, 50000, 'paused', now(), now());
    insert into market_fees values (1, 1, 1000, 2000, now())`);
  await connection.query(
    `insert into coins (symbol, fullname, allow_deposit, allow_withdrawal)
     values ('btc', 'Bitcoin', true, true), ('usdt', 'Tether', false, true)`,
  );
  return {
    context,
    project: (text) => projections.query(text),
    async approvals(act, payload) {
      try {
        return (await prepareForTest(act, context, payload)).approvals;
      } catch (fault) {
        return (fault as { refusal: string }).refusal ?? String(fault);
      }
    },
    async execute(act, payload) {
      return inTransaction(
        connection,
        async () => (await runForTest(act, context, payload)).result,
      );
    },
    async commands() {
      const rows = await readWaitingEngineCommands(connection, 100);
      return rows.map(({ command }) => {
        const { kind, ...fields } = command!;
        const values = Object.entries(fields).map(([name, value]) => `${name} ${value}`);
        return `${kind} ${values.join(', ')}`;
      });
    },
  };
}
