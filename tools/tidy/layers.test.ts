// Tests each forbidden and each allowed import direction once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLayers } from './layers.ts';
import { sourceFile } from './source-file.ts';

function complaint(path: string, specifier: string): string | undefined {
  const [violation] = checkLayers([sourceFile(path, `import { x } from '${specifier}';`)]);
  return violation?.message;
}

const forbidden: [path: string, specifier: string, because: RegExp][] = [
  ['core/money/amount.ts', '../messages/index.ts', /core\/money may not import core\/messages/],
  ['core/structures/table.ts', '../money/index.ts', /may not import core\/money/],
  ['core/messages/event.ts', '../ledger/index.ts', /may not import core\/ledger/],
  ['core/ledger/hold.ts', '../matching/index.ts', /may not import core\/matching/],
  ['core/matching/book.ts', '../ledger/index.ts', /may not import core\/ledger/],
  ['core/matching/book.test.ts', '../ledger/index.ts', /may not import core\/ledger/],
  ['core/ledger/hold.ts', '../engine/index.ts', /may not import core\/engine/],
  ['core/engine/apply.ts', '../ledger/hold.ts', /index\.ts instead/],
  ['core/engine/apply.ts', 'node:assert', /no external imports/],
  ['core/engine/apply.ts', 'left-pad', /no external imports/],
  ['core/engine/apply.test.ts', 'node:http', /tests of the core/],
  ['core/engine/apply.ts', '../../infra/journal/index.ts', /may not import infra\/journal/],
  ['core/engine/apply.ts', '../../testing/scenarios/run.ts', /only tests/],
  ['protocol/errors.ts', '../core/engine/index.ts', /may not import core\/engine/],
  ['infra/journal/frame.ts', '../../core/engine/index.ts', /may not import core\/engine/],
  ['infra/process/log.ts', '../journal/index.ts', /may not import infra\/journal/],
  ['services/projector/app.ts', '../sequencer/index.ts', /may not import services\/sequencer/],
  ['services/projector/app.ts', '../../core/engine/index.ts', /may not import core\/engine/],
  ['services/sequencer/app.ts', '../../core/ledger/index.ts', /may not import core\/ledger/],
  ['services/projector/app.ts', '../../tools/sandbox/sandbox.ts', /only tests/],
  [
    'tools/dev/main.ts',
    '../../testing/flows/index.ts',
    /only tests and benches may import testing/,
  ],
  ['domain/transfers/outbox.ts', '@nats-io/jetstream', /domain code may not import/],
  ['domain/accounts/users.ts', 'fastify', /domain code may not import/],
  ['domain/accounts/users.ts', '../transfers/index.ts', /may not import domain\/transfers/],
  ['infra/access/access.ts', '../../domain/credentials/index.ts', /may not import domain/],
  ['infra/postgres/upsert.ts', '../projections/index.ts', /may not import infra\/projections/],
  ['domain/transfers/outbox.ts', '../../services/projector/index.ts', /may not import services/],
  ['infra/journal/log.ts', '../../tools/services/nats.ts', /only tests/],
  ['infra/bus/nats-bus.ts', '../journal/index.ts', /may not import infra\/journal/],
  ['infra/journal/frame.ts', '../replica/index.ts', /may not import infra\/replica/],
  ['infra/command-link/batch.ts', '../journal/index.ts', /may not import infra\/journal/],
  ['apps/terminal/main.ts', '../../core/money/index.ts', /may not import core\/money/],
  ['core/engine/apply.ts', '../../elsewhere/x.ts', /belongs to no package/],
];

const allowed: [path: string, specifier: string][] = [
  ['core/messages/event.ts', '../money/index.ts'],
  ['core/ledger/hold.ts', '../structures/index.ts'],
  ['core/engine/apply.ts', '../matching/index.ts'],
  ['core/engine/apply.ts', './place-order.ts'],
  ['core/engine/apply.test.ts', 'node:assert/strict'],
  ['core/engine/apply.test.ts', 'fast-check'],
  ['core/engine/apply.test.ts', '../ledger/hold.ts'],
  ['core/engine/apply.bench.ts', '../../testing/flow/orders.ts'],
  ['infra/journal/frame.ts', '../process/index.ts'],
  ['infra/journal/frame.ts', 'node:fs'],
  ['infra/journal/frame.ts', '../bus/index.ts'],
  ['infra/journal/frame.slow.test.ts', '../../tools/services/nats.ts'],
  ['infra/replica/replica.ts', '../../core/engine/index.ts'],
  ['services/archivist/app.ts', '../../core/engine/index.ts'],
  ['services/sequencer/app.ts', '../../core/engine/index.ts'],
  ['services/projector/app.ts', '../../infra/postgres/index.ts'],
  ['apps/terminal/main.ts', '../../protocol/index.ts'],
  ['testing/drills/main.ts', '../../services/sequencer/app.ts'],
  ['tools/bench/main.ts', '../../core/engine/apply.bench.ts'],
  ['domain/credentials/keys.ts', '../../infra/postgres/index.ts'],
  ['domain/credentials/keys.slow.test.ts', '../migrations/index.ts'],
  ['services/gateway-http/app.ts', '../../domain/transfers/index.ts'],
];

for (const [path, specifier, because] of forbidden) {
  test(`layers: ${path} may not import ${specifier}`, () => {
    assert.match(complaint(path, specifier) ?? 'nothing was reported', because);
  });
}

for (const [path, specifier] of allowed) {
  test(`layers: ${path} may import ${specifier}`, () => {
    assert.equal(complaint(path, specifier), undefined);
  });
}

test('layers: a file outside every package is reported', () => {
  for (const path of ['loose.ts', 'elsewhere/thing.ts', 'core/loose.ts', 'core/wallet/x.ts']) {
    assert.match(checkLayers([sourceFile(path, '')])[0]?.message ?? '', /belongs to no package/);
  }
});
