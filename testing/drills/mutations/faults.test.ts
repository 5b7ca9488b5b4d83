// The list of faults stays valid: each fault matches the source once, changes it, and has a unique
// name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUG } from '../liveness/faulty-source.ts';
import { RELEASES } from '../upgrade/releases.ts';
import { FAULTS } from './faults.ts';
import { soundText, textWithFault } from './working-copy.ts';

test('every fault fits exactly one place and changes it', () => {
  const lost = FAULTS.flatMap((fault) => {
    try {
      return textWithFault(fault) === soundText(fault) ? [`'${fault.name}' changes nothing`] : [];
    } catch (failure) {
      return [(failure as Error).message];
    }
  });
  assert.deepEqual(lost, []);
});

test('the planted changes of other drills fit', () => {
  for (const change of [BUG, ...RELEASES.next, ...RELEASES.careless]) {
    assert.notEqual(textWithFault(change), soundText(change), change.name);
  }
});

test('no two faults have the same name or are the same change', () => {
  assert.equal(new Set(FAULTS.map(({ name }) => name)).size, FAULTS.length);
  const changes = FAULTS.map(({ name: _, ...change }) => JSON.stringify(change));
  assert.equal(new Set(changes).size, FAULTS.length);
});

test('every package that decides about money or identity has faults', () => {
  assert.ok(FAULTS.length >= 448, `${FAULTS.length}`);
  const packages = FAULTS.map(({ file }) => file.split('/').slice(0, 2).join('/'));
  assert.deepEqual([...new Set(packages)].sort(), [
    'core/engine',
    'core/ledger',
    'core/matching',
    'core/money',
    'core/structures',
    'features/accounts',
    'features/approvals',
    'features/auth',
    'features/exchange-config',
    'features/health',
    'features/kill-switches',
    'features/market-data',
    'features/messages',
    'features/payments',
    'features/pii-access',
    'features/referral',
    'features/reports',
    'features/staking',
    'features/sub-accounts',
    'features/surveillance',
    'features/trading',
    'infra/access',
    'infra/command-link',
    'infra/identities',
    'platform/http',
    'platform/vault',
    'protocol/refused-keys.ts',
    'services/gateway-http',
    'services/gateway-websocket',
    'services/monitor',
    'services/outbox-dispatcher',
    'services/projector',
    'services/sequencer',
    'tools/keys',
  ]);
});
