// One withdrawal: user, amount in both units, address and its history, policy result, record so
// far, and actions.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isPositive, multiply } from '../../decimals/index.ts';
import { CopyButton, Facts } from '../../forms/index.ts';
import {
  Amount,
  Button,
  type Column,
  Panel,
  READY,
  stateOfError,
  WideTable,
} from '../../ui/index.ts';
import { controlQuery, exchange } from '../exchange.ts';
import { Named } from '../parts/named.tsx';
import type { NameOf } from '../parts/plain-name.ts';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';
import { WithdrawalDialog } from './withdrawal-dialog.tsx';
import { StageChip, WithdrawalAmount } from './withdrawal-parts.tsx';
import {
  actsOn,
  addressHistory,
  approvalsOf,
  stageOf,
  type VerdictLine,
  verdictOf,
  type Withdrawal,
  type WithdrawalAct,
} from './withdrawal-view.ts';

export function WithdrawalDetail({
  onAct,
  row,
}: {
  row: Withdrawal;
  /** Runs when the operator opens an action. */
  onAct(): void;
}) {
  const { t } = useLook();
  const operator = useOperator();
  const [act, setAct] = useState<WithdrawalAct>();
  const record = useQuery({
    queryKey: ['private', 'audits', `withdrawal ${row.id}`],
    queryFn: async ({ signal }) =>
      (await exchange.getAudits({ object: `withdrawal ${row.id}`, limit: 50 }, { signal })).data,
    enabled: operator.may('readAudit'),
  });
  const approvals = approvalsOf(row, operator.may('readAudit') ? record.data : undefined);
  const acts = actsOn(row, operator, approvals);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Panel
        title={t('withdrawals.one', { id: row.id })}
        state={READY}
        after={<StageChip stage={stageOf(row)} />}
        className="flex-none"
      >
        <FactsOf row={row} />
        <div className="flex flex-wrap items-center gap-2 border-t border-line p-2">
          {acts.map((one) => (
            <ActButton
              key={one}
              act={one}
              row={row}
              approvals={approvals}
              onAct={(chosen) => {
                onAct();
                setAct(chosen);
              }}
            />
          ))}
          {acts.length === 0 && (
            <span className="text-body text-quiet">{t('withdrawals.noAct')}</span>
          )}
          {approvals !== undefined && approvals.needed > 0 && (
            <span className="text-body text-quiet">
              {t('withdrawals.approvals', { given: approvals.given, needed: approvals.needed })}
            </span>
          )}
        </div>
      </Panel>
      <VerdictPanel row={row} />
      {operator.may('readAudit') && (
        <Panel
          title={t('withdrawals.record')}
          state={
            record.error !== null
              ? stateOfError(record.error)
              : record.data?.length === 0
                ? { kind: 'empty', text: t('withdrawals.noRecord') }
                : record.data === undefined
                  ? { kind: 'loading' }
                  : READY
          }
          className="flex-none"
          skeletonRows={2}
        >
          <RecordList entries={record.data ?? []} />
        </Panel>
      )}
      {act !== undefined && (
        <WithdrawalDialog act={act} row={row} onClose={() => setAct(undefined)} />
      )}
    </div>
  );
}

function ActButton({
  act,
  approvals,
  onAct,
  row,
}: {
  act: WithdrawalAct;
  row: Withdrawal;
  approvals: { readonly given: number; readonly needed: number } | undefined;
  onAct(act: WithdrawalAct): void;
}) {
  const { t } = useLook();
  const isDanger = act === 'reject' || act === 'dismiss';
  const isMain = act === 'approve' || (act === 'complete' && row.processing) || act === 'claim';
  const text =
    act === 'approve' && approvals !== undefined && approvals.needed > 1
      ? t('withdrawals.approveOf', {
          number: approvals.given + 1,
          needed: approvals.needed,
        })
      : t(`withdrawals.${act}`);
  return (
    <Button look={isDanger ? 'danger' : isMain ? 'main' : 'plain'} onClick={() => onAct(act)}>
      {text}
    </Button>
  );
}

/** Value of the amount at the last prices, in the currency of the thresholds. */
function useWorth({ amount, currency }: Withdrawal): { value: string; unit: string } | undefined {
  const { may } = useOperator();
  const { data: control } = useQuery({ ...controlQuery, enabled: may('readControl') });
  const unit = control?.currency ?? 'usdt';
  const { data: prices } = useQuery({
    queryKey: ['oracle', currency, unit],
    queryFn: ({ signal }) =>
      exchange.getOraclePrices({ assets: [currency], quote: unit }, { signal }),
  });
  const price = prices?.[currency];
  if (price === undefined || !isPositive(price)) return undefined;
  return { value: multiply(amount, price), unit };
}

function FactsOf({ row }: { row: Withdrawal }) {
  const { t, time } = useLook();
  const nameOf = useNames();
  const worth = useWorth(row);
  const { address } = row;
  const same = useQuery({
    queryKey: ['private', 'withdrawals', 'address', address],
    queryFn: async ({ signal }) =>
      (await exchange.getWithdrawalsOfUsers({ address: address ?? '', limit: 100 }, { signal }))
        .data,
    enabled: address !== null,
  });
  const history = same.data && addressHistory(row, same.data);
  return (
    <Facts
      facts={[
        {
          label: t('withdrawals.user'),
          value: (
            <>
              <bdi dir="ltr">{row.User.email}</bdi>{' '}
              <span className="text-quiet">{t('console.userNumber', { id: row.user_id })}</span>
            </>
          ),
        },
        {
          label: t('withdrawals.amount'),
          value: (
            <span className="text-value font-semibold">
              <WithdrawalAmount row={row} />
              {worth !== undefined && worth.unit !== row.currency && (
                <span className="ms-2 font-normal text-quiet">
                  ≈ <Amount value={worth.value} scale={2} unit={worth.unit} />
                </span>
              )}
            </span>
          ),
        },
        { label: t('withdrawals.fee'), value: <Amount value={row.fee} unit={row.fee_coin} /> },
        {
          label: t('withdrawals.address'),
          value: (
            <bdi dir="ltr" className="break-all">
              {address ?? '–'} <span className="text-quiet">{row.network}</span>
            </bdi>
          ),
          ...(address === null
            ? {}
            : { act: <CopyButton text={address} label={t('withdrawals.copy')} /> }),
        },
        ...Object.entries(row.bank_account ?? {}).map(([name, value]) => ({
          label: nameOf('bankField', name),
          value: <bdi dir="ltr">{`${value}`}</bdi>,
        })),
        {
          label: t('withdrawals.history'),
          value: history === undefined ? '–' : <HistoryText history={history} />,
        },
        { label: t('withdrawals.transaction'), value: <bdi dir="ltr">{row.transaction_id}</bdi> },
        { label: t('withdrawals.asked'), value: time(row.created_at, 'full') },
        { label: t('withdrawals.changed'), value: time(row.updated_at, 'full') },
      ]}
    />
  );
}

function HistoryText({ history }: { history: ReturnType<typeof addressHistory> }) {
  const { t } = useLook();
  const { otherUsers, paidBefore } = history;
  return (
    <>
      {paidBefore === 0
        ? t('withdrawals.neverPaid')
        : t('withdrawals.paidBefore', { count: paidBefore })}
      {otherUsers.length > 0 && (
        <span className="ms-2 text-warn">
          ▲ {t('withdrawals.otherUsers', { users: otherUsers.join(', ') })}
        </span>
      )}
    </>
  );
}

const MARKS = { pass: '✓', review: '▲', refuse: '✕' } as const;
const RESULT_COLOURS = { pass: 'text-up', review: 'text-warn', refuse: 'text-down' } as const;

function VerdictPanel({ row }: { row: Withdrawal }) {
  const { t } = useLook();
  const nameOf = useNames();
  const lines = verdictOf(row, nameOf);
  const columns: Column<VerdictLine>[] = [
    {
      key: 'result',
      label: t('verdict.result'),
      cell: ({ result, reviews }) => (
        <span className={`whitespace-nowrap ${RESULT_COLOURS[result]}`}>
          <span aria-hidden="true">{MARKS[result]}</span> {t(`verdict.${result}`)}
          {reviews > 0 && ` · ${t('verdict.reviews', { count: reviews })}`}
        </span>
      ),
    },
    {
      key: 'rule',
      label: t('verdict.rule'),
      cell: ({ rule }) => <Named area="rule" name={rule} />,
    },
    {
      key: 'value',
      label: t('verdict.value'),
      isNumber: true,
      cell: ({ value }) => <bdi dir="ltr">{value}</bdi>,
    },
    {
      key: 'limit',
      label: t('verdict.limit'),
      isNumber: true,
      cell: ({ limit }) => <bdi dir="ltr">{limit}</bdi>,
    },
  ];
  return (
    <Panel
      title={t('verdict.title')}
      state={lines.length === 0 ? { kind: 'empty', text: t('verdict.none') } : READY}
      className="flex-none"
    >
      <WideTable
        caption={t('verdict.title')}
        columns={columns}
        rows={lines}
        keyOf={({ rule }) => rule}
      />
    </Panel>
  );
}

function RecordList({
  entries,
}: {
  entries: readonly { id: number; subject: string; timestamp: string; after: unknown }[];
}) {
  const { time } = useLook();
  const nameOf = useNames();
  return (
    <ol>
      {entries.map(({ after, id, subject, timestamp }) => (
        <li
          key={id}
          className="flex flex-wrap gap-x-3 border-b border-line px-2 py-1.5 text-body last:border-b-0"
        >
          <span className="text-quiet">{time(timestamp, 'short')}</span>
          <bdi dir="ltr">{subject}</bdi>
          <bdi dir="ltr" className="font-semibold">
            {stepsText(after, nameOf)}
          </bdi>
        </li>
      ))}
    </ol>
  );
}

function stepsText(after: unknown, nameOf: NameOf): string {
  const { state, steps } = (after ?? {}) as { state?: unknown; steps?: unknown };
  const done = Array.isArray(steps)
    ? steps.map((step) => nameOf('reviewStep', step)).join(', ')
    : '';
  return typeof state === 'string' && state !== ''
    ? `${done} → ${nameOf('event.withdrawal', state)}`
    : done;
}
