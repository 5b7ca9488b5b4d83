// Fees collected since the last settlement, and their payment to an account, which always requires
// approval from another operator.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LedgerBalance } from '../../../client/index.ts';
import { isZero } from '../../decimals/index.ts';
import {
  Amount,
  Button,
  type Column,
  Field,
  Panel,
  READY,
  stateOfList,
  Table,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { idOf } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

const EVERY_MS = 10_000;

export function SettlementPanel() {
  const { t } = useLook();
  const { may } = useOperator();
  const [isSettling, setSettling] = useState(false);
  const canRead = may('readAccounts');
  const collected = useQuery({
    queryKey: ['private', 'ledger', 'fees'],
    queryFn: async ({ signal }) =>
      (await exchange.getLedgerBalances({ account: 'fees' }, { signal })).balances.filter(
        ({ total }) => !isZero(total),
      ),
    enabled: canRead,
    refetchInterval: EVERY_MS,
  });
  const columns: Column<LedgerBalance>[] = [
    {
      key: 'coin',
      label: t('users.coin'),
      cell: ({ currency }) => <bdi dir="ltr">{currency.toUpperCase()}</bdi>,
    },
    {
      key: 'total',
      label: t('users.amount'),
      isNumber: true,
      cell: ({ currency, total }) => <Amount value={total} unit={currency} />,
    },
  ];
  return (
    <Panel
      title={t('fees.collected')}
      dialogs={isSettling && <SettleDialog onClose={() => setSettling(false)} />}
      state={canRead ? stateOfList(collected, t('fees.nothingCollected')) : READY}
      onRetry={() => void collected.refetch()}
      className="xl:col-start-2"
      after={
        may('settleFees') && (
          <Button size="small" onClick={() => setSettling(true)}>
            {t('fees.settle')}
          </Button>
        )
      }
    >
      {canRead && (
        <Table
          caption={t('fees.collected')}
          columns={columns}
          rows={collected.data ?? []}
          keyOf={({ currency }) => currency}
        />
      )}
    </Panel>
  );
}

function SettleDialog({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const { id: own } = useOperator();
  const [user, setUser] = useState(String(own));
  const userId = idOf(user);
  return (
    <ActDialog
      title={t('fees.settle')}
      submit={t('fees.settleTo', { user })}
      approvals={1}
      isDisabled={userId === undefined}
      act={() => exchange.settleFees({ user_id: userId ?? own })}
      onClose={onClose}
    >
      <p className="text-body">{t('fees.settleText')}</p>
      <Field
        label={t('deposits.userNumber')}
        hint={t('fees.settleHint', { user: own })}
        required
        inputMode="numeric"
        dir="ltr"
        value={user}
        onChange={({ target }) => setUser(target.value.trim())}
      />
    </ActDialog>
  );
}
