// Sub-accounts: created, funded and emptied by their parent, and removed when empty.

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { SubAccount } from '../../../client/index.ts';
import { ActForm, Refusal, useAct } from '../../forms/index.ts';
import {
  Button,
  type Column,
  DecimalField,
  Dialog,
  Field,
  Panel,
  Segments,
  Select,
  showToast,
  stateOfList,
  useLook,
  WideTable,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { ActingToken } from './acting-token.tsx';

export const subAccountsQuery = queryOptions({
  queryKey: ['private', 'sub-accounts'],
  queryFn: async ({ signal }) => (await exchange.getSubAccounts({ signal })).data,
});
const KEY = subAccountsQuery.queryKey;

export function SubAccountsPanel() {
  const { t } = useLook();
  const [dialog, setDialog] = useState<'make' | SubAccount>();
  const query = useQuery(subAccountsQuery);
  const close = () => setDialog(undefined);
  return (
    <>
      <Panel
        title={t('subs.title')}
        state={stateOfList(query, t('subs.none'))}
        onRetry={() => void query.refetch()}
        after={
          <Button size="small" look="quiet" onClick={() => setDialog('make')}>
            <Plus size={14} aria-hidden="true" />
            {t('subs.make')}
          </Button>
        }
      >
        <SubAccountTable subs={query.data ?? []} onMove={setDialog} />
      </Panel>
      {dialog === 'make' && <MakeSubAccount onClose={close} />}
      {typeof dialog === 'object' && <MoveMoney sub={dialog} onClose={close} />}
    </>
  );
}

function SubAccountTable({
  onMove,
  subs,
}: {
  subs: readonly SubAccount[];
  onMove(sub: SubAccount): void;
}) {
  const { t, time } = useLook();
  const queries = useQueryClient();
  const remove = useAct(async (id: number) => {
    await exchange.removeSubAccount({ subaccount_id: id });
    await queries.invalidateQueries({ queryKey: KEY });
  });
  const [entered, setEntered] = useState<{ name: string; token: string }>();
  const enter = useAct(async ({ id, label }: SubAccount) => {
    const { token } = await exchange.openSubAccount({ subaccount_id: id });
    setEntered({ name: label, token });
  });
  const columns: readonly Column<SubAccount>[] = [
    { key: 'label', label: t('people.name'), cell: ({ label }) => <bdi>{label}</bdi> },
    { key: 'id', label: t('profile.id'), isExtra: true, cell: ({ id }) => id },
    {
      key: 'since',
      label: t('sessions.since'),
      isExtra: true,
      cell: ({ created_at }) => time(created_at, 'full'),
    },
    {
      key: 'acts',
      label: <span className="sr-only">{t('subs.move')}</span>,
      isNumber: true,
      cell: (sub) => (
        <span className="inline-flex gap-1">
          <Button
            size="small"
            aria-label={`${t('subs.move')}: ${sub.label}`}
            onClick={() => onMove(sub)}
          >
            {t('subs.move')}
          </Button>
          <Button
            size="small"
            aria-label={`${t('acting.act')}: ${sub.label}`}
            isBusy={enter.isBusy}
            onClick={() => enter.run(sub)}
          >
            {t('acting.act')}
          </Button>
          <Button
            size="small"
            aria-label={`${t('people.remove')}: ${sub.label}`}
            isBusy={remove.isBusy}
            onClick={() => remove.run(sub.id)}
          >
            {t('people.remove')}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <>
      <Refusal error={remove.error ?? enter.error} />
      <WideTable
        caption={t('subs.title')}
        columns={columns}
        rows={subs}
        keyOf={({ id }) => String(id)}
      />
      <ActingToken
        name={entered?.name ?? ''}
        token={entered?.token}
        onClose={() => setEntered(undefined)}
      />
    </>
  );
}

function MakeSubAccount({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const [label, setLabel] = useState('');
  const make = useAct(async () => {
    try {
      await exchange.createSubAccount({ label: label.trim() });
    } finally {
      // Runs even after a lost response: the list then shows whether the account exists.
      await queries.invalidateQueries({ queryKey: KEY });
    }
    onClose();
  });
  return (
    <Dialog title={t('subs.make')} isOpen onClose={onClose}>
      <ActForm onSubmit={make.run}>
        <Field
          label={t('people.name')}
          required
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
        <Refusal error={make.error} />
        <Button type="submit" look="main" size="large" isBusy={make.isBusy}>
          {t('subs.make')}
        </Button>
      </ActForm>
    </Dialog>
  );
}

function MoveMoney({ onClose, sub }: { sub: SubAccount; onClose(): void }) {
  const { t } = useLook();
  const { data: constants } = useQuery(constantsQuery);
  const coins = Object.values(constants?.coins ?? {});
  const [currency, setCurrency] = useState('usdt');
  const [amount, setAmount] = useState('');
  const [direction, setDirection] = useState<'to_sub' | 'to_master'>('to_sub');
  const coin = coins.find(({ symbol }) => symbol === currency);
  const move = useAct(async () => {
    await exchange.transferToSubAccount({ subaccount_id: sub.id, currency, amount, direction });
    showToast('done', t('subs.moved', { amount: `${amount} ${currency.toUpperCase()}` }));
    onClose();
  });
  return (
    <Dialog title={`${t('subs.move')}: ${sub.label}`} isOpen onClose={onClose}>
      <ActForm onSubmit={move.run}>
        <Segments
          label={t('subs.direction')}
          choices={[
            { value: 'to_sub', label: t('subs.toSub') },
            { value: 'to_master', label: t('subs.toMe') },
          ]}
          value={direction}
          onValue={setDirection}
        />
        <Select
          label={t('status.coin')}
          choices={coins.map(({ fullname, symbol }) => ({
            value: symbol,
            label: `${symbol.toUpperCase()} · ${fullname}`,
          }))}
          value={currency}
          onValue={setCurrency}
        />
        <DecimalField
          label={t('subs.amount')}
          increment={coin?.increment_unit ?? '0.00000001'}
          value={amount}
          onValue={setAmount}
          after={currency.toUpperCase()}
        />
        <Refusal error={move.error} />
        <Button
          type="submit"
          look="main"
          size="large"
          isBusy={move.isBusy}
          disabled={amount === ''}
        >
          {t('subs.move')}
        </Button>
      </ActForm>
    </Dialog>
  );
}
