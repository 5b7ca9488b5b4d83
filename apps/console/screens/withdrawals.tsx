// Withdrawal queue, oldest first, next to the selected withdrawal: user, amount, destination,
// policy result line by line, and the actions possible now.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { exchange } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
import { MasterDetail, QueueRow, useChosenId } from '../parts/master-detail.tsx';
import { useLook } from '../use-words.ts';
import { WithdrawalDetail } from '../withdrawals/withdrawal-detail.tsx';
import { StageChip, WithdrawalAmount } from '../withdrawals/withdrawal-parts.tsx';
import {
  type Stage,
  sortedQueue,
  stageOf,
  type Withdrawal,
} from '../withdrawals/withdrawal-view.ts';

const EVERY_MS = 5_000;
const FILTERS = ['open', 'review', 'approved', 'claimed'] as const;
type Filter = (typeof FILTERS)[number];

const OPEN: readonly Stage[] = ['review', 'approved', 'claimed'];

export function Screen() {
  const { t } = useLook();
  const [id, choose] = useChosenId('/withdrawals');
  const [filter, setFilter] = useState<Filter>('open');
  const open = useQuery({
    queryKey: ['private', 'withdrawals', 'open'],
    queryFn: async ({ signal }) =>
      (
        await exchange.getWithdrawalsOfUsers(
          { status: false, dismissed: false, rejected: false, limit: 100, order: 'asc' },
          { signal },
        )
      ).data,
    refetchInterval: EVERY_MS,
  });
  const rows = open.data && sortedQueue(open.data).filter((row) => isIn(row, filter));
  const chosen = open.data?.find((row) => String(row.id) === id) ?? rows?.[0];
  return (
    <MasterDetail
      heading={t('screen.withdrawals')}
      title={t('withdrawals.queue')}
      list={{ error: open.error, data: rows }}
      emptyText={t('withdrawals.none')}
      onRetry={() => void open.refetch()}
      filter={{
        label: t('withdrawals.filter'),
        choices: FILTERS.map((value) => ({ value, label: t(`withdrawals.${value}`) })),
        value: filter,
        onValue: setFilter,
      }}
      row={(row) => (
        <WithdrawalRow
          key={row.id}
          row={row}
          isChosen={row.id === chosen?.id}
          onChoose={() => choose(row.id)}
        />
      )}
    >
      {chosen !== undefined && <WithdrawalDetail key={chosen.id} row={chosen} />}
    </MasterDetail>
  );
}

function isIn(row: Withdrawal, filter: Filter): boolean {
  const stage = stageOf(row);
  return filter === 'open' ? OPEN.includes(stage) : stage === filter;
}

function WithdrawalRow({
  isChosen,
  onChoose,
  row,
}: {
  row: Withdrawal;
  isChosen: boolean;
  onChoose(): void;
}) {
  const { t } = useLook();
  const duration = useDuration();
  const ageMs = useNow() - Date.parse(row.created_at);
  return (
    <QueueRow isChosen={isChosen} onChoose={onChoose}>
      <span className="flex w-full justify-between gap-2">
        <strong className="font-semibold">
          <WithdrawalAmount row={row} />
        </strong>
        <span className="whitespace-nowrap text-quiet">{duration(ageMs)}</span>
      </span>
      <span className="flex w-full items-center justify-between gap-2">
        <bdi dir="ltr" className="min-w-0 truncate text-quiet">
          {row.User.email}
        </bdi>
        <StageChip stage={stageOf(row)} />
      </span>
      <span className="sr-only">{t('console.userNumber', { id: row.user_id })}</span>
    </QueueRow>
  );
}
