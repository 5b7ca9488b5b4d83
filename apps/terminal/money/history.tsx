// Past deposits and withdrawals, each with its stage.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DepositOrWithdrawal } from '../../../client/index.ts';
import { Amount, Button, type Column, showToast, Table, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { TransferDialog } from './timeline.tsx';
import { canCancel, isConfirming, isInternal, type Stage, stageOf } from './transfers.ts';

const COLOURS: Readonly<Record<Stage, string>> = {
  unconfirmed: 'text-warn',
  reviewed: 'text-warn',
  held: 'text-accent',
  paying: 'text-accent',
  pending: 'text-warn',
  completed: 'text-up',
  canceled: 'text-quiet',
  rejected: 'text-down',
};

const MARKS: Readonly<Record<Stage, string>> = {
  unconfirmed: '◌',
  reviewed: '◌',
  held: '◔',
  paying: '◑',
  pending: '◌',
  completed: '●',
  canceled: '–',
  rejected: '✕',
};

export function StageMark({ stage }: { stage: Stage }) {
  const { t } = useLook();
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={COLOURS[stage]}>
        {MARKS[stage]}
      </span>
      {t(`wallet.stage.${stage}`)}
    </span>
  );
}

/** Confirmations until a deposit is credited replace its stage. */
function RowStage({ row }: { row: DepositOrWithdrawal }) {
  const { t } = useLook();
  const { confirmations: count, confirmations_needed: needed } = row;
  if (!isConfirming(row) || count === undefined || needed === undefined) {
    return <StageMark stage={stageOf(row)} />;
  }
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className="text-accent">
        ◔
      </span>
      {t('wallet.confirming', { count: Math.min(count, needed), needed })}
    </span>
  );
}

export function TransferTable({
  caption,
  isShort = false,
  rows,
}: {
  caption: string;
  rows: readonly DepositOrWithdrawal[];
  /** Shows only time, amount and state, for narrow layouts. */
  isShort?: boolean;
}) {
  const { preferences, t, time } = useLook();
  const cancel = useCancel();
  const [opened, setOpened] = useState<number>();
  const columns: readonly Column<DepositOrWithdrawal>[] = [
    {
      key: 'time',
      label: t('wallet.time'),
      cell: ({ created_at }) => <bdi>{time(created_at, 'short')}</bdi>,
    },
    {
      key: 'amount',
      label: t('wallet.amount'),
      isNumber: true,
      cell: ({ amount, currency }) => (
        <Amount value={amount} unit={currency} isHidden={preferences.hidesBalances} />
      ),
    },
    {
      key: 'fee',
      label: t('wallet.fee'),
      isNumber: true,
      isExtra: true,
      cell: ({ fee, fee_coin }) => <Amount value={fee} unit={fee_coin} />,
    },
    {
      key: 'place',
      label: t('wallet.place'),
      isExtra: true,
      cell: (row) => <Place row={row} />,
    },
    { key: 'stage', label: t('wallet.state'), cell: (row) => <RowStage row={row} /> },
    {
      key: 'act',
      label: <span className="sr-only">{t('wallet.cancel')}</span>,
      isNumber: true,
      cell: (row) => (
        <span className="inline-flex gap-1">
          {row.type === 'withdrawal' && canCancel(stageOf(row)) && (
            <Button
              size="small"
              look="danger"
              isBusy={cancel.isPending && cancel.variables === row.id}
              onClick={() => cancel.mutate(row.id)}
            >
              {t('wallet.cancel')}
            </Button>
          )}
          <Button size="small" onClick={() => setOpened(row.id)}>
            {t('wallet.details')}
          </Button>
        </span>
      ),
    },
  ];
  const short = columns.filter(({ key }) => key === 'time' || key === 'amount' || key === 'stage');
  return (
    <>
      <Table
        caption={caption}
        columns={isShort ? short : columns}
        rows={rows}
        keyOf={({ id }) => String(id)}
      />
      <TransferDialog
        row={rows.find(({ id }) => id === opened)}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}

function Place({ row }: { row: DepositOrWithdrawal }) {
  const { t } = useLook();
  if (row.address === 'transfer') return t('wallet.subAccount');
  const address = row.address ?? '';
  return (
    <bdi dir="ltr" title={address} className="inline-block max-w-56 truncate align-bottom">
      {!isInternal(row) && row.network !== null && row.network !== '' && (
        <span className="text-quiet uppercase">{row.network} </span>
      )}
      {address}
    </bdi>
  );
}

export function useCancel() {
  const { t } = useLook();
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (id: number) => exchange.cancelWithdrawal({ id }),
    onSuccess: () => showToast('done', t('wallet.canceled')),
    onError: (error) => showToast('refused', t('wallet.notCanceled'), error.message),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['private', 'withdrawals'] });
      void queries.invalidateQueries({ queryKey: ['private', 'balance'] });
    },
  });
}
