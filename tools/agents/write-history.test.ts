// The history of a demo exchange is a regular log: its frames form a chain, they replay to the
// state of its snapshot, and EVENTS has their output.

import assert from 'node:assert/strict';
import test from 'node:test';
import { accountsFor } from '../../agents/index.ts';
import { auditExchange } from '../../core/engine/index.ts';
import type { UserId } from '../../core/money/index.ts';
import { openSealedFrame } from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { faultlessPath } from '../../infra/journal/memory-log-path.ts';
import { systemClock } from '../../infra/process/index.ts';
import { Replica } from '../../infra/replica/index.ts';
import { writeHistory } from './write-history.ts';

const UNTIL_MS = Date.UTC(2026, 10, 2, 12);
const HOUR_MS = 3_600_000;
const GENEROUS_MS = 60_000;

test('a history replays to its own state, with trades in every hour of every pair', async () => {
  const users = new Map(accountsFor().map(({ name }, at) => [name, (100 + at) as UserId]));
  const [commands, events] = [new MemoryLog(systemClock), new MemoryLog(systemClock)];
  const path = { ...faultlessPath(() => 0), timeoutMs: GENEROUS_MS };
  const connect = (log: MemoryLog) => log.connect(systemClock, path);
  const written = await writeHistory({
    commands: connect(commands),
    events: connect(events),
    seed: 5,
    days: 2,
    untilMs: UNTIL_MS,
    users,
  });
  assert.equal(commands.last, written.frames);
  const replica = Replica.create();
  const hours = new Set<string>();
  let trades = 0;
  for (let sequence = 1; sequence <= commands.last; sequence += 1) {
    const applied = replica.follow(openSealedFrame(commands.message(sequence))!);
    const hour = Math.floor(applied.events.timeMs / HOUR_MS);
    for (const event of applied.events.events) {
      assert.notEqual(event.kind, 'CommandPoisoned');
      if (event.kind !== 'TradeExecuted') continue;
      trades += 1;
      hours.add(`${event.market} ${hour}`);
    }
  }
  assert.equal(replica.stateHash(), written.snapshot.info.stateHash);
  assert.equal(trades, written.trades);
  assert.ok(replica.exchange.timeMs <= UNTIL_MS && replica.exchange.timeMs > UNTIL_MS - 5_000);
  auditExchange(replica.exchange);
  // Two and a half days of six pairs.
  assert.ok(hours.size > 0.7 * 60 * 6, `${hours.size} hours`);
  for (const { id } of replica.exchange.markets) {
    assert.ok(replica.exchange.books.bestOppositeTicks(id, true) > 0, `market ${id} has bids`);
  }
});
