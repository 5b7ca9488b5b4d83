// Dialog for an action on a withdrawal. Repeats the amount, the user and the address.

import { useState } from 'react';
import { Facts } from '../../forms/index.ts';
import { Field } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog, type ActInput } from '../parts/act-dialog.tsx';
import { useLook } from '../use-words.ts';
import { WithdrawalAmount } from './withdrawal-parts.tsx';
import type { Withdrawal, WithdrawalAct } from './withdrawal-view.ts';

const HOLD_HOURS = 24;

export function WithdrawalDialog({
  act,
  onClose,
  row,
}: {
  act: WithdrawalAct;
  row: Withdrawal;
  onClose(): void;
}) {
  const { t } = useLook();
  const [transaction, setTransaction] = useState('');
  const isEnd = act === 'reject' || act === 'dismiss';
  const send = ({ otpCode, reason }: ActInput) => {
    const named = { transaction_id: row.transaction_id, id: row.id };
    const note = reason === '' ? {} : { description: reason };
    switch (act) {
      case 'approve':
        return exchange.reviewWithdrawal({ ...named, waiting: false, otp_code: otpCode });
      case 'claim':
        return exchange.reviewWithdrawal({ ...named, processing: true });
      case 'release':
        return exchange.reviewWithdrawal({ ...named, processing: false });
      case 'complete':
        return exchange.reviewWithdrawal({
          ...named,
          status: true,
          updated_transaction_id: transaction.trim(),
        });
      case 'reject':
        return exchange.reviewWithdrawal({ ...named, ...note, rejected: true });
      case 'dismiss':
        return exchange.reviewWithdrawal({ ...named, ...note, dismissed: true });
      case 'hold':
        return exchange.blockWithdrawals({
          user_id: row.user_id,
          expiry_date: new Date(Date.now() + HOLD_HOURS * 3_600_000).toISOString(),
        });
    }
  };
  return (
    <ActDialog
      title={t('withdrawals.actTitle', { act: t(`withdrawals.${act}`), id: row.id })}
      submit={t(`withdrawals.${act}`)}
      act={send}
      onClose={onClose}
      isDanger={isEnd}
      needsFactor={act === 'approve'}
      {...(isEnd ? { reason: 'required' } : {})}
    >
      <p className="text-body">{t(`withdrawals.${act}Text`)}</p>
      <Facts
        facts={[
          { label: t('withdrawals.amount'), value: <WithdrawalAmount row={row} /> },
          { label: t('withdrawals.user'), value: <bdi dir="ltr">{row.User.email}</bdi> },
          {
            label: t('withdrawals.address'),
            value: (
              <bdi dir="ltr" className="break-all">
                {row.address} <span className="text-quiet">{row.network}</span>
              </bdi>
            ),
          },
        ]}
      />
      {act === 'complete' && (
        <Field
          label={t('withdrawals.transaction')}
          hint={t('withdrawals.transactionHint')}
          dir="ltr"
          required
          maxLength={200}
          value={transaction}
          onChange={({ target }) => setTransaction(target.value)}
        />
      )}
    </ActDialog>
  );
}
