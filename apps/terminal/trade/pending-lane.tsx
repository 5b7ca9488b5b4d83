// Orders whose response was lost: the state of each, and that nothing is sent again.

import { HelpCircle } from 'lucide-react';
import { Button, useLook, type Word } from '../../ui/index.ts';
import type { PendingOrder } from './pending-orders.ts';
import type { Pending } from './use-pending.ts';

const WORDS: Readonly<Record<PendingOrder['status'], Word>> = {
  looking: 'trade.lane.looking',
  placed: 'trade.lane.placed',
  absent: 'trade.lane.absent',
};

export function PendingLane({ lane }: { lane: Pick<Pending, 'pending' | 'dismiss'> }) {
  const { t } = useLook();
  if (lane.pending.length === 0) return null;
  return (
    <ul aria-label={t('trade.lane')} data-lane className="flex-none border-b border-warn">
      {lane.pending.map(({ clientOrderId, status, words }) => (
        <li
          key={clientOrderId}
          data-lane-status={status}
          className="flex min-h-8 items-center gap-2 px-2 py-1"
        >
          <HelpCircle size={14} aria-hidden="true" className="flex-none text-warn" />
          <span className="min-w-0 flex-1">
            <strong className="font-semibold">{words}</strong>{' '}
            <span className="text-quiet" aria-live="polite">
              {t(WORDS[status])}
            </span>
          </span>
          {status !== 'looking' && (
            <Button size="small" onClick={() => lane.dismiss(clientOrderId)}>
              {t('shell.close')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
