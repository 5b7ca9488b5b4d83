// Approval inbox: requests to decide, the operator's own pending requests, and closed ones. An own
// request has no approve button, and the exchange rejects such a vote.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../../client/index.ts';
import { ApprovalDetail, ApprovalState } from '../approvals/approval-detail.tsx';
import { mineWaiting, toDecide } from '../approvals/approval-view.ts';
import { exchange, pendingApprovalsQuery } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
import { MasterDetail, QueueRow, useChosenId } from '../parts/master-detail.tsx';
import { ActTarget, Named } from '../parts/named.tsx';
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
  const [id, choose] = useChosenId();
  const [tab, setTab] = useState<Tab>(operator.may('vote') ? 'decide' : 'mine');
  const pending = useQuery(pendingApprovalsQuery);
  const all = useQuery({
    queryKey: ['private', 'approvals', 'ended'],
    queryFn: async ({ signal }) => (await exchange.approvals({ limit: 100 }, { signal })).data,
    enabled: tab === 'decided',
  });
  const source = tab === 'decided' ? all : pending;
  const rows = source.data && rowsOf(tab, source.data, operator);
  const chosenId = rows?.find((one) => String(one.id) === id)?.id ?? rows?.[0]?.id;
  return (
    <MasterDetail
      heading={t('screen.approvals')}
      title={t('approvals.inbox')}
      list={{ error: source.error, data: rows }}
      emptyText={t(NONE[tab])}
      onRetry={() => void source.refetch()}
      filter={{
        label: t('approvals.inbox'),
        choices: TABS.map((value) => ({ value, label: t(`approvals.${value}`) })),
        value: tab,
        onValue: setTab,
      }}
      row={(row) => (
        <ApprovalRow
          key={row.id}
          row={row}
          isChosen={row.id === chosenId}
          onChoose={() => choose(row.id)}
        />
      )}
    >
      {chosenId !== undefined && <ApprovalDetail key={chosenId} id={chosenId} />}
    </MasterDetail>
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
    <QueueRow isChosen={isChosen} onChoose={onChoose}>
      <span className="flex w-full justify-between gap-2">
        <strong className="font-semibold">
          <Named area="act" name={row.act} />
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
        <ActTarget target={row.object} />
        <span>{t('approvals.votesOf', { given: row.approvals, needed: row.needed })}</span>
      </span>
    </QueueRow>
  );
}
