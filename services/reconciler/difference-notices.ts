// Stream messages to operators when a discrepancy opens or closes.

import type { Round } from '../../features/reconciliation/index.ts';
import type { Bus } from '../../infra/bus/index.ts';
import { operatorNoticeSubject } from '../../platform/outbox/index.ts';
import type { DifferenceMessage } from '../../protocol/index.ts';
import type { ReconcilerWatcher } from './reconciler.ts';

export function publishDifferences(
  watcher: ReconcilerWatcher,
  bus: Pick<Bus, 'publish'>,
  exchange: string,
): ReconcilerWatcher {
  const subject = operatorNoticeSubject(exchange, 'reconciliation');
  return {
    ...watcher,
    compared(round, nowMs) {
      watcher.compared(round, nowMs);
      for (const message of differenceMessages(round, nowMs)) {
        bus.publish(subject, Buffer.from(JSON.stringify(message)));
      }
    },
  };
}

export function differenceMessages(
  { check, closed, opened }: Pick<Round, 'check' | 'closed' | 'opened'>,
  nowMs: number,
): DifferenceMessage[] {
  const shared = { topic: 'reconciliation', time: Math.floor(nowMs / 1_000) } as const;
  const inserted = opened.map(({ asset, expected, found, object }): DifferenceMessage => {
    const data = { check, object, currency: asset ?? null, expected, found };
    return { ...shared, action: 'insert', data };
  });
  const deleted = closed.map((object): DifferenceMessage => {
    const data = { check, object, currency: null, expected: null, found: null };
    return { ...shared, action: 'delete', data };
  });
  return [...inserted, ...deleted];
}
