// The queue of withdrawals: the oldest first on one side; on the other who, how much, where to, the
// verdict of the policy line by line, and the acts that are possible now.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Panel, Segments, stateOfList } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
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
  const navigate = useNavigate();
  const { id } = useSearch({ strict: false }) as { id?: unknown };
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
  const chosen = open.data?.find((row) => String(row.id) === String(id)) ?? rows?.[0];
  const choose = (row: Withdrawal) =>
    void navigate({ to: '/withdrawals', search: { id: row.id } as never });
  return (
    <div className="grid min-h-0 flex-1 gap-1 lg:grid-cols-[24rem_1fr]">
      <h1 className="sr-only">{t('screen.withdrawals')}</h1>
      <Panel
        title={t('withdrawals.queue')}
        state={stateOfList({ error: open.error, data: rows }, t('withdrawals.none'))}
        onRetry={() => void open.refetch()}
        after={
          <Segments
            label={t('withdrawals.filter')}
            choices={FILTERS.map((value) => ({ value, label: t(`withdrawals.${value}`) }))}
            value={filter}
            onValue={setFilter}
          />
        }
      >
        <ul className="overflow-y-auto">
          {rows?.map((row) => (
            <QueueRow
              key={row.id}
              row={row}
              isChosen={row.id === chosen?.id}
              onChoose={() => choose(row)}
            />
          ))}
        </ul>
      </Panel>
      {chosen !== undefined && <WithdrawalDetail key={chosen.id} row={chosen} />}
    </div>
  );
}

function isIn(row: Withdrawal, filter: Filter): boolean {
  const stage = stageOf(row);
  return filter === 'open' ? OPEN.includes(stage) : stage === filter;
}

function QueueRow({
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
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        className="flex w-full flex-col gap-0.5 border-b border-s-2 border-line border-s-transparent px-2 py-2 text-start text-body hover:bg-raised aria-pressed:border-s-accent aria-pressed:bg-raised"
      >
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
      </button>
    </li>
  );
}
