// Reviews a pending deposit: credits, rejects or dismisses it.

import { useState } from 'react';
import type { DepositOrWithdrawalOfUser } from '../../../client/index.ts';
import { Facts } from '../../forms/index.ts';
import { Amount, Field, Segments } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useLook } from '../use-words.ts';

const VERDICTS = ['status', 'rejected', 'dismissed'] as const;

export function ReviewDialog({
  deposit,
  onClose,
}: {
  deposit: DepositOrWithdrawalOfUser;
  onClose(): void;
}) {
  const { number, t } = useLook();
  const [verdict, setVerdict] = useState<(typeof VERDICTS)[number]>('status');
  const [transaction, setTransaction] = useState(deposit.transaction_id);
  const amount = `${number(deposit.amount)} ${deposit.currency.toUpperCase()}`;
  const isCredit = verdict === 'status';
  const facts = [
    { label: t('users.user'), value: deposit.user_id },
    { label: t('users.amount'), value: <Amount value={deposit.amount} unit={deposit.currency} /> },
    { label: t('users.network'), value: deposit.network ?? '–' },
    { label: t('users.address'), value: <bdi dir="ltr">{deposit.address ?? '–'}</bdi> },
    { label: t('deposits.description'), value: <bdi>{deposit.description ?? '–'}</bdi> },
  ];
  return (
    <ActDialog
      title={t('deposits.reviewOf', { id: deposit.id })}
      submit={t(`deposits.do.${verdict}`, { amount })}
      isDanger={!isCredit}
      reason="optional"
      act={({ reason }) =>
        exchange.reviewDeposit({
          id: deposit.id,
          transaction_id: deposit.transaction_id,
          [verdict]: true,
          ...(isCredit &&
            transaction !== deposit.transaction_id && { updated_transaction_id: transaction }),
          ...(reason !== '' && { description: reason }),
        })
      }
      onClose={onClose}
    >
      <Facts facts={facts} />
      <Segments
        label={t('deposits.verdict')}
        value={verdict}
        onValue={setVerdict}
        choices={VERDICTS.map((value) => ({ value, label: t(`deposits.verdict.${value}`) }))}
      />
      {isCredit && (
        <Field
          label={t('users.transaction')}
          hint={t('deposits.transactionHint')}
          dir="ltr"
          value={transaction}
          onChange={({ target }) => setTransaction(target.value.trim())}
        />
      )}
      <p className="text-value">
        {t(`deposits.will.${verdict}`, { amount, user: deposit.user_id })}
      </p>
    </ActDialog>
  );
}
