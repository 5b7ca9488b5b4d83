// Roles: their powers, their members, and the matrix of calls, all from the API itself.

import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operator as OperatorRow, Role } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import {
  Amount,
  Button,
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
import { AddOperatorDialog, RemoveRoleDialog, RoleDialog } from '../roles/role-dialog.tsx';
import { matrixOf, powersOf } from '../roles/role-matrix.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

const EVERYTHING = '*';

const endpointsQuery = queryOptions({
  queryKey: ['private', 'endpoints'],
  queryFn: ({ signal }) => exchange.getEndpoints({ signal }),
});

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
      {may('readOperators') && <Operators roles={roles.data ?? []} />}
      <Matrix error={roles.error} roles={roles.data ?? []} />
    </div>
  );
}

function RoleList({ error, roles }: { error: unknown; roles: readonly Role[] | undefined }) {
  const { t } = useLook();
  const { may } = useOperator();
  const [edited, setEdited] = useState<Role | 'new'>();
  const [removed, setRemoved] = useState<Role>();
  const endpoints = useQuery(endpointsQuery);
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
    {
      key: 'acts',
      label: <span className="sr-only">{t('users.acts')}</span>,
      isNumber: true,
      // The administrator's role is fixed.
      cell: (role) =>
        !role.permissions.includes(EVERYTHING) && (
          <span className="my-0.5 inline-flex gap-1">
            {may('changeRole') && (
              <Button size="small" onClick={() => setEdited(role)}>
                {t('markets.edit')}
              </Button>
            )}
            {may('removeRole') && (
              <Button size="small" look="danger" onClick={() => setRemoved(role)}>
                {t('control.remove')}
              </Button>
            )}
          </span>
        ),
    },
  ];
  return (
    <Panel
      title={t('roles.powers')}
      state={stateOfList({ error, data: roles }, t('roles.none'))}
      after={
        may('addRole') && (
          <Button size="small" onClick={() => setEdited('new')}>
            {t('roles.new')}
          </Button>
        )
      }
      dialogs={
        <>
          {edited !== undefined && endpoints.data !== undefined && (
            <RoleDialog
              role={edited === 'new' ? undefined : edited}
              powers={powers}
              endpoints={endpoints.data}
              onClose={() => setEdited(undefined)}
            />
          )}
          {removed !== undefined && (
            <RemoveRoleDialog role={removed} onClose={() => setRemoved(undefined)} />
          )}
        </>
      }
    >
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

function Operators({ roles }: { roles: readonly Role[] }) {
  const { t, time } = useLook();
  const { may } = useOperator();
  const [isAdding, setAdding] = useState(false);
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
    <>
      <PagedPanel
        title={t('roles.operators')}
        queryKey={['operators']}
        load={(page, signal) => exchange.getOperators(page, { signal })}
        columns={columns}
        keyOf={({ id }) => String(id)}
        emptyText={t('roles.none')}
        after={
          may('setRole') && (
            <Button size="small" onClick={() => setAdding(true)}>
              {t('roles.add')}
            </Button>
          )
        }
      />
      {isAdding && <AddOperatorDialog roles={roles} onClose={() => setAdding(false)} />}
    </>
  );
}

function Matrix({ error, roles }: { error: unknown; roles: readonly Role[] }) {
  const { t } = useLook();
  const [filter, setFilter] = useState('');
  const endpoints = useQuery(endpointsQuery);
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
