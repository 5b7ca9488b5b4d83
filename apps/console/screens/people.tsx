// User search by any value, and the user page.

import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { GetUsersQuery, OperatorUser } from '../../../client/index.ts';
import { Button, type Column, Field, Notice, Panel, Select, stateOfList } from '../../ui/index.ts';
import { mayExport } from '../access.ts';
import { exchange } from '../exchange.ts';
import { ExportButton } from '../parts/export-button.tsx';
import { UserLink } from '../parts/links.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { idOf, useParameters } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { Marks } from '../users/marks.tsx';
import { RevealsPanel } from '../users/reveals.tsx';
import { UserPage } from '../users/user-page.tsx';

export function Screen() {
  const [{ id }] = useParameters();
  const user = idOf(id);
  return user === undefined ? <UserList /> : <OneUser key={user} id={user} />;
}

function OneUser({ id }: { id: number }) {
  const { t } = useLook();
  const user = useQuery({
    queryKey: ['private', 'users', 'one', id],
    queryFn: async ({ signal }) => (await exchange.getUsers({ id }, { signal })).data,
  });
  const [one] = user.data ?? [];
  if (one !== undefined) return <UserPage user={one} />;
  return (
    <Panel
      title={t('console.userNumber', { id })}
      state={stateOfList(user, t('users.none'))}
      onRetry={() => void user.refetch()}
    >
      {null}
    </Panel>
  );
}

const FILTERS = ['all', 'id', 'bank', 'frozen', 'unverified', 'reveals'] as const;
type Filter = (typeof FILTERS)[number];

function queryOf(search: string, filter: Filter): GetUsersQuery {
  if (search !== '') return { search };
  if (filter === 'id' || filter === 'bank') return { pending: true, pending_type: filter };
  if (filter === 'frozen') return { activated: false };
  if (filter === 'unverified') return { email_verified: false };
  return {};
}

function UserList() {
  const { t } = useLook();
  const operator = useOperator();
  const [parameters, change] = useParameters();
  const search = parameters.q ?? '';
  const filter = FILTERS.find((one) => one === parameters.filter) ?? 'all';
  // Without the power, the exchange only finds exact values, and rejects lists.
  const mayList = operator.powers.includes('pii.search');
  const query = queryOf(search, filter);
  const columns = useUserColumns();
  const filters = (
    <>
      <SearchForm search={search} onSearch={(q) => change({ q })} mayList={mayList} />
      {mayList && search === '' && (
        <Select
          label={t('users.show')}
          value={filter}
          onValue={(next) => change({ filter: next === 'all' ? '' : next })}
          choices={FILTERS.filter((one) => one !== 'reveals' || operator.may('readReveals')).map(
            (value) => ({ value, label: t(`users.filter.${value}`) }),
          )}
          className="w-48"
        />
      )}
    </>
  );
  if (search === '' && !mayList) {
    return (
      <div className="flex flex-col gap-1">
        <h1 className="sr-only">{t('screen.people')}</h1>
        <div className="flex flex-wrap items-end gap-2 rounded bg-panel p-2">{filters}</div>
        <Notice icon={<Search />} title={t('users.searchFirst')} />
      </div>
    );
  }
  if (filter === 'reveals' && search === '' && operator.may('readReveals')) {
    return (
      <div className="flex flex-col gap-1">
        <h1 className="sr-only">{t('screen.people')}</h1>
        <div className="flex flex-wrap items-end gap-2 rounded bg-panel p-2">{filters}</div>
        <RevealsPanel />
      </div>
    );
  }
  return (
    <>
      <h1 className="sr-only">{t('screen.people')}</h1>
      <PagedPanel
        title={t('screen.people')}
        queryKey={['users', 'list', query]}
        load={(page, signal) => exchange.getUsers({ ...query, ...page }, { signal })}
        columns={columns}
        keyOf={({ id }) => String(id)}
        emptyText={t('users.none')}
        filters={filters}
        after={
          mayExport(operator, 'getUsers') &&
          operator.powers.includes('export.personal') && (
            <ExportButton name="users" load={() => exchange.csv('getUsers', query)} />
          )
        }
      />
    </>
  );
}

function useUserColumns(): Column<OperatorUser>[] {
  const { t, time } = useLook();
  return [
    { key: 'id', label: t('users.user'), cell: ({ id }) => <UserLink id={id} /> },
    { key: 'email', label: t('people.email'), cell: ({ email }) => <bdi dir="ltr">{email}</bdi> },
    {
      key: 'name',
      label: t('people.name'),
      isExtra: true,
      cell: ({ full_name: name }) => <bdi>{name}</bdi>,
    },
    {
      key: 'tier',
      label: t('users.tier'),
      isNumber: true,
      cell: (user) => user.verification_level,
    },
    { key: 'marks', label: t('users.marks'), cell: (user) => <Marks user={user} /> },
    {
      key: 'since',
      label: t('users.joined'),
      isExtra: true,
      cell: ({ created_at: at }) => time(at, 'short'),
    },
  ];
}

function SearchForm({
  mayList,
  onSearch,
  search,
}: {
  search: string;
  mayList: boolean;
  onSearch(text: string): void;
}) {
  const { t } = useLook();
  const [text, setText] = useState(search);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form onSubmit={submit} className="flex min-w-64 flex-1 items-end gap-2">
      <Field
        className="max-w-xl flex-1"
        type="search"
        label={t(mayList ? 'users.searchParts' : 'users.searchWhole')}
        placeholder={t('users.searchFor')}
        value={text}
        maxLength={200}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '') onSearch('');
        }}
      />
      <Button type="submit" look="main">
        {t('shell.search')}
      </Button>
    </form>
  );
}
