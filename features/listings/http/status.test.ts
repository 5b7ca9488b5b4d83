// Tests the public status: what is stopped since when, and nothing about accounts and services.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogueNow } from '../catalogue-entries.ts';
import { statusOf } from './status.ts';

const FIRST_MS = Date.parse('2026-11-16T03:00:00Z');
const LATER_MS = FIRST_MS + 60_000;
const FIRST = '2026-11-16T03:00:00.000Z';
const LATER = '2026-11-16T03:01:00.000Z';

function catalogue(change: Partial<CatalogueNow>): CatalogueNow {
  const coin = { isPublic: true, active: true, allowDeposit: true, allowWithdrawal: true };
  const pair = (symbol: string, status: string) =>
    [
      symbol,
      { symbol, active: true, isPublic: true, market: { status, updatedAtMs: FIRST_MS } },
    ] as const;
  return {
    coins: new Map([
      ['btc', { ...coin, symbol: 'btc' }],
      ['usdt', { ...coin, symbol: 'usdt', allowWithdrawal: false }],
      ['old', { ...coin, symbol: 'old', allowDeposit: false, isPublic: false }],
    ]),
    pairs: new Map([pair('btc-usdt', 'full'), pair('usdt-eur', 'paused')]),
    stops: [],
    banner: undefined,
    ...change,
  } as unknown as CatalogueNow;
}

test('a running exchange has no banner and lists what is closed', () => {
  assert.deepEqual(statusOf(catalogue({})), {
    banners: [],
    read_only: false,
    read_only_since: null,
    logins_closed: false,
    logins_closed_since: null,
    markets: [{ symbol: 'usdt-eur', status: 'paused', since: FIRST }],
    coins: [{ currency: 'usdt', deposits: true, withdrawals: false, since: null }],
  });
});

test('stops are shown with their start, banners once, accounts never', () => {
  const stop = { object: '', banner: '', sinceMs: LATER_MS };
  const text = 'We look into late withdrawals.';
  const status = statusOf(
    catalogue({
      banner: { kind: 'warning', text: 'Upgrade at noon.', sinceMs: FIRST_MS },
      stops: [
        { ...stop, name: 'accounts', object: 'user 17' },
        { ...stop, name: 'intake', object: 'notifier' },
        { ...stop, name: 'logins' },
        { ...stop, name: 'trading', object: 'usdt-eur' },
        { ...stop, name: 'withdrawals', object: 'usdt', banner: text },
        { ...stop, name: 'writes', banner: text, sinceMs: FIRST_MS },
      ],
    }),
  );
  assert.deepEqual(status, {
    banners: [
      { kind: 'warning', text: 'Upgrade at noon.', since: FIRST },
      { kind: 'incident', text, since: FIRST },
    ],
    read_only: true,
    read_only_since: FIRST,
    logins_closed: true,
    logins_closed_since: LATER,
    markets: [{ symbol: 'usdt-eur', status: 'paused', since: LATER }],
    coins: [{ currency: 'usdt', deposits: true, withdrawals: false, since: LATER }],
  });
});
