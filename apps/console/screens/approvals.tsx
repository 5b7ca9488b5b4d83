// The inbox of approvals: requests to decide, own requests that wait, and those that have ended.
// An own request has no button to approve it, and the exchange refuses such a vote.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Approval } from '../../../client/index.ts';
import { Panel, Segments, stateOfList } from '../../ui/index.ts';
import { ApprovalDetail, ApprovalState } from '../approvals/approval-detail.tsx';
import { mineWaiting, toDecide } from '../approvals/approval-view.ts';
import { exchange, pendingApprovalsQuery } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

const TABS = ['decide', 'mine', 'decided'] as const;
type Tab = (typeof TABS)[number];
const NONE = {
  decide: 'approvals.noneToDecide',
  mine: 'approvals.noneMine',
  decided: 'approvals.noneDecided',
} as const;

export function Screen() {
  const { t } = useLook();
  const operator = useOperator();
  const navigate = useNavigate();
  const { id } = useSearch({ strict: false }) as { id?: unknown };
  const [tab, setTab] = useState<Tab>(operator.may('vote') ? 'decide' : 'mine');
  const pending = useQuery(pendingApprovalsQuery);
  const all = useQuery({
    queryKey: ['private', 'approvals', 'ended'],
    queryFn: async ({ signal }) => (await exchange.approvals({ limit: 100 }, { signal })).data,
    enabled: tab === 'decided',
  });
  const source = tab === 'decided' ? all : pending;
  const rows = source.data && rowsOf(tab, source.data, operator);
  const chosenId = rows?.find((one) => String(one.id) === String(id))?.id ?? rows?.[0]?.id;
  return (
    <div className="grid min-h-0 flex-1 gap-1 lg:grid-cols-[24rem_1fr]">
      <h1 className="sr-only">{t('screen.approvals')}</h1>
      <Panel
        title={t('approvals.inbox')}
        state={stateOfList({ error: source.error, data: rows }, t(NONE[tab]))}
        onRetry={() => void source.refetch()}
        after={
          <Segments
            label={t('approvals.inbox')}
            choices={TABS.map((value) => ({ value, label: t(`approvals.${value}`) }))}
            value={tab}
            onValue={setTab}
          />
        }
      >
        <ul className="overflow-y-auto">
          {rows?.map((row) => (
            <ApprovalRow
              key={row.id}
              row={row}
              isChosen={row.id === chosenId}
              onChoose={() => void navigate({ to: '/approvals', search: { id: row.id } as never })}
            />
          ))}
        </ul>
      </Panel>
      {chosenId !== undefined && <ApprovalDetail key={chosenId} id={chosenId} />}
    </div>
  );
}

function rowsOf(
  tab: Tab,
  approvals: readonly Approval[],
  operator: ReturnType<typeof useOperator>,
): readonly Approval[] {
  if (tab === 'decide') return toDecide(approvals, operator);
  if (tab === 'mine') return mineWaiting(approvals, operator);
  return approvals.filter(({ state }) => state !== 'pending');
}

function ApprovalRow({
  isChosen,
  onChoose,
  row,
}: {
  row: Approval;
  isChosen: boolean;
  onChoose(): void;
}) {
  const { t } = useLook();
  const duration = useDuration();
  const leftMs = Date.parse(row.expires_at) - useNow();
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
            <bdi dir="ltr">{row.act}</bdi>
          </strong>
          {row.state === 'pending' ? (
            <span className="whitespace-nowrap text-quiet">
              {leftMs > 0 ? t('approvals.in', { age: duration(leftMs) }) : t('approvals.expired')}
            </span>
          ) : (
            <ApprovalState state={row.state} />
          )}
        </span>
        <span className="flex w-full justify-between gap-2 text-quiet">
          <bdi dir="ltr">{row.object}</bdi>
          <span>{t('approvals.votesOf', { given: row.approvals, needed: row.needed })}</span>
        </span>
      </button>
    </li>
  );
}
