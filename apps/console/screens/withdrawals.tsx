// Withdrawal queue, oldest first, next to the selected withdrawal: user, amount, destination,
// policy result line by line, and the actions possible now.

import { useQuery } from '@tanstack/react-query';
import { exchange } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
import { MasterDetail, QueueRow, useChosenId } from '../parts/master-detail.tsx';
import { idOf, useParameters } from '../parts/search-parameters.ts';
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
const FILTERS = [
  'open',
  'review',
  'approved',
  'claimed',
  'completed',
  'rejected',
  'dismissed',
] as const;
type Filter = (typeof FILTERS)[number];
const HISTORY_ROWS = 100;

const OPEN: readonly Stage[] = ['review', 'approved', 'claimed'];

export function Screen() {
  const { t } = useLook();
  const [id, choose] = useChosenId();
  const [{ state }, change] = useParameters();
  const filter = FILTERS.find((one) => one === state) ?? 'open';
  const isHistory = filter in ENDED;
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
  const ended = useQuery({
    queryKey: ['private', 'withdrawals', filter],
    queryFn: async ({ signal }) => {
      const query = { ...ENDED[filter as keyof typeof ENDED], limit: HISTORY_ROWS };
      return (await exchange.getWithdrawalsOfUsers(query, { signal })).data;
    },
    enabled: isHistory,
  });
  const list = isHistory ? ended : open;
  const rows = isHistory
    ? ended.data
    : open.data && sortedQueue(open.data).filter((row) => isIn(row, filter));
  const listed = list.data?.find((row) => String(row.id) === id);
  // A withdrawal stays on the page after it has left its list, and a link opens any.
  const named = useQuery({
    queryKey: ['private', 'withdrawals', 'one', id],
    queryFn: async ({ signal }) =>
      (await exchange.getWithdrawalsOfUsers({ id: Number(id) }, { signal })).data,
    enabled: idOf(id) !== undefined && list.data !== undefined && listed === undefined,
  });
  const chosen = id === '' ? rows?.[0] : (listed ?? named.data?.[0]);
  return (
    <MasterDetail
      heading={t('screen.withdrawals')}
      title={t('withdrawals.queue')}
      list={{ error: list.error, data: rows }}
      emptyText={t('withdrawals.none')}
      onRetry={() => void list.refetch()}
      filter={{
        label: t('withdrawals.filter'),
        choices: FILTERS.map((value) => ({ value, label: t(`withdrawals.${value}`) })),
        value: filter,
        onValue: (next) => change({ state: next === 'open' ? '' : next, id: '' }),
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
      {chosen !== undefined && (
        <WithdrawalDetail key={chosen.id} row={chosen} onAct={() => choose(chosen.id)} />
      )}
    </MasterDetail>
  );
}

/** Lists of ended withdrawals, newest first. */
const ENDED = {
  completed: { status: true },
  rejected: { rejected: true },
  dismissed: { dismissed: true },
} as const;

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
