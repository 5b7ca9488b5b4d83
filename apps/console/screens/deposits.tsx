// User deposits: pending ones first, their review, and the manual credit.

import { useState } from 'react';
import type { DepositOrWithdrawalOfUser, GetDepositsOfUsersQuery } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import { Amount, Button, type Column, Field, Select } from '../../ui/index.ts';
import { mayExport } from '../access.ts';
import { CreditDialog } from '../deposits/credit-dialog.tsx';
import { ReviewDialog } from '../deposits/review-dialog.tsx';
import { exchange } from '../exchange.ts';
import { ExportButton } from '../parts/export-button.tsx';
import { UserLink } from '../parts/links.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { idOf, useParameters } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { isOpen, transferState } from '../transfers/transfer-state.ts';
import { useLook } from '../use-words.ts';

const STATES = ['open', 'completed', 'rejected', 'all'] as const;
type State = (typeof STATES)[number];

function stateQuery(state: State): GetDepositsOfUsersQuery {
  if (state === 'open') return { status: false, dismissed: false, rejected: false };
  if (state === 'completed') return { status: true };
  return state === 'rejected' ? { rejected: true } : {};
}

export function Screen() {
  const { t } = useLook();
  const operator = useOperator();
  const [parameters, change] = useParameters();
  const [isCrediting, setCrediting] = useState(false);
  const [reviewed, setReviewed] = useState<DepositOrWithdrawalOfUser>();
  const columns = useColumns(setReviewed);
  const { currency = '', q = '', user = '' } = parameters;
  // A link to one deposit comes from the search, and shows it in any state.
  const asked = idOf(parameters.id);
  const state = STATES.find((one) => one === parameters.state) ?? (q === '' ? 'open' : 'all');
  const userId = idOf(user);
  const query: GetDepositsOfUsersQuery = {
    ...stateQuery(asked === undefined ? state : 'all'),
    ...(asked !== undefined && { id: asked }),
    ...(userId !== undefined && { user_id: userId }),
    ...(currency !== '' && { currency }),
    ...(q !== '' && { transaction_id: q }),
  };
  return (
    <>
      <h1 className="sr-only">{t('screen.deposits')}</h1>
      <PagedPanel
        title={t(`deposits.${asked === undefined ? state : 'all'}`)}
        queryKey={['deposits', query]}
        load={(page, signal) => exchange.getDepositsOfUsers({ ...query, ...page }, { signal })}
        columns={columns}
        keyOf={({ id }) => String(id)}
        emptyText={t('deposits.none')}
        refetchEveryMs={10_000}
        filters={
          <>
            <Select
              label={t('users.state')}
              value={state}
              onValue={(next) => change({ state: next, id: '' })}
              choices={STATES.map((value) => ({ value, label: t(`deposits.${value}`) }))}
              className="w-44"
            />
            <Filter
              label={t('users.user')}
              value={user}
              onValue={(next) => change({ user: next })}
            />
            <Filter
              label={t('users.coin')}
              value={currency}
              onValue={(next) => change({ currency: next.toLowerCase() })}
            />
            <Filter
              label={t('users.transaction')}
              value={q}
              onValue={(next) => change({ q: next, id: '' })}
            />
            {operator.may('credit') && (
              <Button look="main" className="ms-auto" onClick={() => setCrediting(true)}>
                {t('deposits.credit')}
              </Button>
            )}
          </>
        }
        after={
          mayExport(operator, 'getDepositsOfUsers') && (
            <ExportButton name="deposits" load={() => exchange.csv('getDepositsOfUsers', query)} />
          )
        }
      />
      {isCrediting && <CreditDialog onClose={() => setCrediting(false)} />}
      {reviewed !== undefined && (
        <ReviewDialog deposit={reviewed} onClose={() => setReviewed(undefined)} />
      )}
    </>
  );
}

function Filter({
  label,
  onValue,
  value,
}: {
  label: string;
  value: string;
  onValue(value: string): void;
}) {
  const [text, setText] = useState(value);
  return (
    <Field
      className="w-36"
      label={label}
      value={text}
      dir="ltr"
      onChange={({ target }) => setText(target.value)}
      onBlur={() => onValue(text.trim())}
      onKeyDown={({ key }) => {
        if (key === 'Enter') onValue(text.trim());
      }}
    />
  );
}

const COLOURS = {
  completed: 'text-up',
  rejected: 'text-down',
  dismissed: 'text-quiet',
  onhold: 'text-warn',
  processing: 'text-warn',
  waiting: 'text-warn',
  open: 'text-warn',
} as const;

function useColumns(
  onReview: (deposit: DepositOrWithdrawalOfUser) => void,
): Column<DepositOrWithdrawalOfUser>[] {
  const { t, time } = useLook();
  const { id: own, may } = useOperator();
  const columns: Column<DepositOrWithdrawalOfUser>[] = [
    { key: 'id', label: t('users.number'), cell: ({ id }) => id },
    { key: 'at', label: t('overview.when'), cell: ({ created_at: at }) => time(at, 'short') },
    { key: 'user', label: t('users.user'), cell: ({ user_id: id }) => <UserLink id={id} /> },
    {
      key: 'amount',
      label: t('users.amount'),
      isNumber: true,
      cell: ({ amount, currency }) => <Amount value={amount} unit={currency} />,
    },
    { key: 'network', label: t('users.network'), isExtra: true, cell: (one) => one.network ?? '–' },
    {
      key: 'transaction',
      label: t('users.transaction'),
      isExtra: true,
      cell: ({ transaction_id: id }) => (
        <bdi dir="ltr" className="block max-w-56 truncate" title={id}>
          {id}
        </bdi>
      ),
    },
    {
      key: 'state',
      label: t('users.state'),
      cell: (deposit) => {
        const state = transferState(deposit);
        return <Chip color={COLOURS[state]}>{t(`transfer.${state}`)}</Chip>;
      },
    },
  ];
  if (!may('reviewDeposit')) return columns;
  return [
    ...columns,
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      cell: (deposit) =>
        isOpen(deposit) &&
        deposit.user_id !== own && (
          <Button size="small" onClick={() => onReview(deposit)}>
            {t('deposits.review')}
          </Button>
        ),
    },
  ];
}
