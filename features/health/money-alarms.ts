// Alarms for money: stalled queues, discrepancies in totals and copies, frozen markets.

import { HOUR_MS, MINUTE_MS } from '../../core/market-data/index.ts';
import {
  type AlarmDefinition,
  type AlarmDetail,
  countText,
  type Limits,
  SECOND_MS,
  severityOf,
  spanText,
} from './alarm-definition.ts';
import type { HealthFacts } from './health-facts.ts';
import { old } from './storage-alarms.ts';

/** Maximum age of a queue's oldest entry, and the reason. */
const QUEUE_LIMITS: Readonly<Record<string, Limits>> = {
  // Emailed codes are valid for five minutes.
  mails: { ticketMs: MINUTE_MS, pageMs: 3 * MINUTE_MS },
  // Settled within a second; after that users are waiting for their money.
  outbox: { ticketMs: 10 * SECOND_MS, pageMs: MINUTE_MS },
  // An operator who halts a market is waiting for it.
  'engine commands': { ticketMs: 5 * SECOND_MS, pageMs: 30 * SECOND_MS },
  // A request expires after 24 hours.
  approvals: { ticketMs: 12 * HOUR_MS, pageMs: Infinity },
  // Sent within a second; the reconciler counts those that are a minute late.
  'transfers to publish': { ticketMs: MINUTE_MS, pageMs: 10 * MINUTE_MS },
  // Users are promised a payment within a day.
  'withdrawals in review': { ticketMs: 12 * HOUR_MS, pageMs: Infinity },
};
/** Queues that are not listed above. */
const OTHER_QUEUE: Limits = { ticketMs: HOUR_MS, pageMs: Infinity };
/** A pass over ten million ledger entries takes a few minutes. */
const RECONCILIATION: Limits = { ticketMs: 15 * MINUTE_MS, pageMs: 2 * HOUR_MS };

export const MONEY_ALARMS: readonly AlarmDefinition[] = [
  { name: 'LedgerUnbalanced', severity: 'page', rule: ledgerUnbalanced },
  { name: 'MoneyDiffers', severity: 'page', rule: moneyDiffers },
  { name: 'MarketFrozen', severity: 'page', rule: marketsFrozen },
  { name: 'QueueOld', severity: 'ticket', rule: queuesOld },
  {
    name: 'ReconciliationOld',
    severity: 'ticket',
    rule: (facts) => old(facts, 'reconciliation', RECONCILIATION),
  },
];

function ledgerUnbalanced({ ledger }: HealthFacts): readonly AlarmDetail[] {
  return ledger
    .filter(({ sumAtoms }) => sumAtoms !== '0')
    .map(({ asset, sumAtoms }) => ({
      object: asset,
      detail: `Accounts in ${asset} sum to ${sumAtoms} atoms, expected 0.`,
    }));
}

function moneyDiffers({ differences }: HealthFacts): readonly AlarmDetail[] {
  return differences
    .filter(({ count }) => count > 0)
    .map(({ check, count }) => ({
      object: check,
      detail: `Check ${check}: ${countText(count, 'open discrepancy', 'open discrepancies')}.`,
    }));
}

function marketsFrozen({ frozenMarkets }: HealthFacts): readonly AlarmDetail[] {
  return frozenMarkets.map((market) => ({
    object: market,
    detail: `The engine failed on a command and froze ${market}.`,
  }));
}

function queuesOld({ isDatabaseUp, queues }: HealthFacts): readonly AlarmDetail[] {
  const late = queues.flatMap(({ name, oldestMs, waiting }): AlarmDetail[] => {
    const severity = severityOf(oldestMs, QUEUE_LIMITS[name] ?? OTHER_QUEUE);
    if (severity === undefined) return [];
    const detail = `${name}: ${waiting} pending, oldest ${spanText(oldestMs)}.`;
    return [{ object: name, detail, severity }];
  });
  if (!isDatabaseUp) return late;
  const unknown = Object.keys(QUEUE_LIMITS).filter(
    (name) => !queues.some((queue) => queue.name === name),
  );
  return [
    ...late,
    ...unknown.map((name) => ({ object: name, detail: `${name} could not be read.` })),
  ];
}
