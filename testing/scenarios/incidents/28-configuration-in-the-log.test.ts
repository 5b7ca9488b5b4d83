// Incident 28, OrderBook-rs 101: replay built its books with the default configuration. Here
// configuration consists of log commands, so a replay uses each moment's fees, bands and limits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyFrame, createExchange, hashExchange } from '../../../core/engine/index.ts';
import type { Command, CommandFrame } from '../../../core/messages/index.ts';
import { FLOWS } from '../../flows/index.ts';
import { drive } from './scripted-exchange.ts';

const CONFIGURATION: ReadonlySet<Command['kind']> = new Set([
  ...(['SetMarketFees', 'SetUserFees', 'SetUserGroup', 'SetPriceBand', 'SetLimits'] as const),
  ...(['SetMarketStatus', 'SetIssuanceCap', 'ListAsset', 'ListMarket'] as const),
]);

/** Hash after each frame when the entire log runs from an empty state. */
function replay(log: readonly CommandFrame[]): string[] {
  const exchange = createExchange();
  return log.map((frame) => {
    applyFrame(exchange, frame);
    return hashExchange(exchange);
  });
}

for (const name of ['flash-crash', 'adversarial'] as const) {
  test(`incident 28: a replay of the ${name} flow and configuration has the same hashes`, () => {
    const exchange = createExchange();
    const log: CommandFrame[] = [];
    const hashes: string[] = [];
    drive(FLOWS[name](28), 100, (frame) => {
      const events = applyFrame(exchange, frame);
      log.push(frame);
      hashes.push(hashExchange(exchange));
      return events;
    });
    assert.deepEqual(replay(log), hashes);

    const late = log.slice(20).flatMap(({ commands }) => commands.map(({ kind }) => kind));
    assert.ok(
      late.some((kind) => CONFIGURATION.has(kind)),
      'configuration must change during the flow',
    );
    const forgetful = log.map((frame, index) =>
      index < 5
        ? frame
        : { ...frame, commands: frame.commands.filter(({ kind }) => !CONFIGURATION.has(kind)) },
    );
    assert.notEqual(
      replay(forgetful).at(-1),
      hashes.at(-1),
      'without configuration commands the outcome must differ',
    );
  });
}
