// Process that counts and settles, like the notifier, at the time given by each line of its
// standard input. It kills itself with SIGKILL at the statement given by the line: before it is
// sent, after it was sent, or after its answer. Prints one line per finished line.

import { createInterface } from 'node:readline';
import { accrueRewards } from '../../../features/staking/accrue.ts';
import { advanceStakes } from '../../../features/staking/advance.ts';
import { repeatRefused } from '../../../features/staking/movements.ts';
import { type Connection, openConnection } from '../../../infra/postgres/index.ts';
import { priceOfDay } from './plan.ts';

export interface WorkLine {
  readonly nowMs: number;
  /** 0 for no kill. */
  readonly killAt: number;
  readonly moment: 'before' | 'sent' | 'after';
}

const BATCH = 5;
const [url, schema] = process.argv.slice(2);
const connection = await openConnection({
  url,
  schema,
  name: 'staking-drill',
  statementTimeoutMs: 30_000,
});
let statements = 0;
let line: WorkLine = { nowMs: 0, killAt: 0, moment: 'before' };

const killing = new Proxy(connection, {
  get(target, name) {
    const value = Reflect.get(target, name);
    if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
    return async (...given: unknown[]) => {
      statements += 1;
      const isLast = statements === line.killAt;
      if (isLast && line.moment === 'before') die();
      const answer = Reflect.apply(value, target, given);
      if (isLast && line.moment === 'sent') {
        // The bytes are sent before the process exits.
        setImmediate(die);
        await new Promise(() => {});
      }
      const result = await answer;
      if (isLast) die();
      return result;
    };
  },
}) as Connection;

for await (const text of createInterface({ input: process.stdin })) {
  line = JSON.parse(text);
  statements = 0;
  const { nowMs } = line;
  await repeatRefused(killing, BATCH);
  await accrueRewards(killing, {
    nowMs,
    batch: BATCH,
    priceAt: async ({ at }) => priceOfDay(at.toISOString().slice(0, 10)),
  });
  await advanceStakes(killing, { nowMs, limit: BATCH });
  console.log(statements);
}
await connection.end();

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal can take a moment; nothing must happen in the meantime.
  for (;;);
}
