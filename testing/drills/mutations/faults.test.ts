// The list of faults stays valid: each fault matches the source once, changes it, and has a unique
// name.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { occurrencesOf, withFault } from './fault.ts';
import { FAULTS } from './faults.ts';
import { REPOSITORY } from './working-copy.ts';

test('every fault matches the source exactly once', () => {
  const lost = FAULTS.flatMap((fault) => {
    const count = occurrencesOf(readFileSync(join(REPOSITORY, fault.file), 'utf8'), fault);
    return count === 1 ? [] : [`${fault.file}: '${fault.name}' matches ${count} times`];
  });
  assert.deepEqual(lost, []);
});

test('every fault changes its file', () => {
  for (const fault of FAULTS) {
    const text = readFileSync(join(REPOSITORY, fault.file), 'utf8');
    assert.notEqual(withFault(text, fault), text, fault.name);
  }
});

test('no two faults have the same name or are the same change', () => {
  assert.equal(new Set(FAULTS.map(({ name }) => name)).size, FAULTS.length);
  const changes = FAULTS.map(({ file, find, replace }) => `${file}\n${find}\n${replace}`);
  assert.equal(new Set(changes).size, FAULTS.length);
});

test('there are faults in every package that decides about money or identity', () => {
  assert.ok(FAULTS.length >= 30, `${FAULTS.length}`);
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
