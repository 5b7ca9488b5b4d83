// Roles: their powers, their members, and the matrix of calls, all from the API itself.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operator as OperatorRow, Role } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import {
  Amount,
  type Column,
  Field,
  Panel,
  ScrollArea,
  stateOfList,
  WideTable,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { UserLink } from '../parts/links.tsx';
import { Named } from '../parts/named.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { matrixOf, powersOf } from '../roles/role-matrix.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  const roles = useQuery({
    queryKey: ['private', 'roles'],
    queryFn: async ({ signal }) => (await exchange.getRoles({ signal })).data,
  });
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.roles')}</h1>
      <RoleList error={roles.error} roles={roles.data} />
      {may('readOperators') && <Operators />}
      <Matrix error={roles.error} roles={roles.data ?? []} />
    </div>
  );
}

function RoleList({ error, roles }: { error: unknown; roles: readonly Role[] | undefined }) {
  const { t } = useLook();
  const powers = powersOf(roles ?? []);
  const columns: Column<Role>[] = [
    {
      key: 'name',
      label: t('users.role'),
      cell: ({ name }) => (
        <bdi dir="ltr" className="font-semibold">
          {name}
        </bdi>
      ),
    },
    {
      key: 'calls',
      label: t('roles.calls'),
      isNumber: true,
      cell: ({ permissions }) =>
        permissions.includes('*') ? (
          t('roles.everything')
        ) : (
          <Amount value={String(permissions.length)} />
        ),
    },
    ...powers.map((power) => ({
      key: power,
      label: <Named area="power" name={power} />,
      cell: ({ restrictions }: Role) => <Has isTrue={restrictions.powers.includes(power)} />,
    })),
    {
      key: 'ceiling',
      label: t('roles.ceiling'),
      isNumber: true,
      cell: ({ restrictions }) => <Amount value={restrictions.money_ceiling} />,
    },
  ];
  return (
    <Panel title={t('roles.powers')} state={stateOfList({ error, data: roles }, t('roles.none'))}>
      <WideTable
        caption={t('roles.powers')}
        columns={columns}
        rows={roles ?? []}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}

function Has({ isTrue }: { isTrue: boolean }) {
  const { t } = useLook();
  return (
    <span className={isTrue ? 'text-up' : 'text-quiet'}>
      <span aria-hidden="true">{isTrue ? '✓' : '·'}</span>
      <span className="sr-only">{t(isTrue ? 'roles.yes' : 'roles.no')}</span>
    </span>
  );
}

function Operators() {
  const { t, time } = useLook();
  const columns: Column<OperatorRow>[] = [
    { key: 'id', label: t('users.user'), cell: ({ id }) => <UserLink id={id} /> },
    { key: 'email', label: t('people.email'), cell: ({ email }) => <bdi dir="ltr">{email}</bdi> },
    { key: 'role', label: t('users.role'), cell: ({ role }) => <Named area="role" name={role} /> },
    {
      key: 'state',
      label: t('users.state'),
      cell: ({ activated, otp_enabled: hasCode }) => (
        <span className="inline-flex gap-1">
          {!activated && <Chip color="text-down">{t('mark.frozen')}</Chip>}
          {!hasCode && <Chip color="text-warn">{t('mark.noFactor')}</Chip>}
          {activated && hasCode && <Chip color="text-up">{t('users.valid')}</Chip>}
        </span>
      ),
    },
    {
      key: 'since',
      label: t('users.since'),
      isExtra: true,
      cell: ({ role_since: at }) => (at === null ? '–' : time(at, 'short')),
    },
  ];
  return (
    <PagedPanel
      title={t('roles.operators')}
      queryKey={['operators']}
      load={(page, signal) => exchange.getOperators(page, { signal })}
      columns={columns}
      keyOf={({ id }) => String(id)}
      emptyText={t('roles.none')}
    />
  );
}

function Matrix({ error, roles }: { error: unknown; roles: readonly Role[] }) {
  const { t } = useLook();
  const [filter, setFilter] = useState('');
  const endpoints = useQuery({
    queryKey: ['private', 'endpoints'],
    queryFn: ({ signal }) => exchange.getEndpoints({ signal }),
  });
  const areas = matrixOf(endpoints.data ?? [], roles, filter);
  return (
    <Panel
      title={t('roles.matrix')}
      state={stateOfList(
        { error: error ?? endpoints.error, data: endpoints.data },
        t('roles.none'),
      )}
    >
      <div className="p-2">
        <Field
          className="max-w-xs"
          label={t('roles.filter')}
          dir="ltr"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      </div>
      <ScrollArea label={t('roles.matrix')} className="max-h-[70dvh]">
        <table className="w-full border-separate border-spacing-0 text-body">
          <caption className="sr-only">{t('roles.matrix')}</caption>
          <thead>
            <tr>
              <th
                scope="col"
                className="sticky top-0 z-1 bg-panel px-2 text-start text-label font-normal text-quiet"
              >
                {t('roles.call')}
              </th>
              {roles.map(({ name }) => (
                <th
                  key={name}
                  scope="col"
                  className="sticky top-0 z-1 bg-panel px-2 text-label font-normal text-quiet"
                >
                  <Named area="role" name={name} />
                </th>
              ))}
            </tr>
          </thead>
          {areas.map(({ area, rows }) => (
            <tbody key={area}>
              {rows.map(({ call, has }) => (
                <tr key={call} className="hover:bg-raised">
                  <th scope="row" className="h-row px-2 text-start font-normal">
                    <bdi dir="ltr">{call}</bdi>
                  </th>
                  {has.map((isTrue, at) => (
                    <td key={roles[at].name} className="px-2 text-center">
                      <Has isTrue={isTrue} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </ScrollArea>
    </Panel>
  );
}
