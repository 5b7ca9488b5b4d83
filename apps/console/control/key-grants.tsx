// Grants to API keys: the daily amount without approval, and access to personal data.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyGrant } from '../../../client/index.ts';
import {
  Amount,
  Button,
  Checkbox,
  type Column,
  DecimalField,
  Field,
  Panel,
  stateOfList,
  WideTable,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { UserLink } from '../parts/links.tsx';
import { idOf } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

const INCREMENT = '0.01';

export function KeyGrantsPanel({ currency }: { currency: string }) {
  const { t } = useLook();
  const { may } = useOperator();
  const [edited, setEdited] = useState<KeyGrant | 'new'>();
  const [removed, setRemoved] = useState<KeyGrant>();
  const grants = useQuery({
    queryKey: ['private', 'key-grants'],
    queryFn: async ({ signal }) => (await exchange.getKeyGrants({ signal })).data,
  });
  const columns = useColumns(currency, { onChange: setEdited, onRemove: setRemoved });
  return (
    <Panel
      title={t('control.grants')}
      state={stateOfList(grants, t('control.noGrants'))}
      onRetry={() => void grants.refetch()}
      after={
        may('grantKey') && (
          <Button size="small" onClick={() => setEdited('new')}>
            {t('control.grant')}
          </Button>
        )
      }
      dialogs={
        <>
          {edited !== undefined && (
            <GrantDialog
              grant={edited === 'new' ? undefined : edited}
              currency={currency}
              onClose={() => setEdited(undefined)}
            />
          )}
          {removed !== undefined && (
            <RemoveDialog grant={removed} onClose={() => setRemoved(undefined)} />
          )}
        </>
      }
    >
      <WideTable
        caption={t('control.grants')}
        columns={columns}
        rows={grants.data ?? []}
        keyOf={({ key_id: key }) => String(key)}
      />
    </Panel>
  );
}

interface GrantActs {
  onChange(grant: KeyGrant): void;
  onRemove(grant: KeyGrant): void;
}

function useColumns(currency: string, { onChange, onRemove }: GrantActs): Column<KeyGrant>[] {
  const { t, time } = useLook();
  const { may } = useOperator();
  return [
    {
      key: 'key',
      label: t('control.key'),
      cell: ({ key_id: key, key_name: name }) => (
        <span>
          <bdi dir="ltr">{key}</bdi> <bdi className="text-quiet">{name}</bdi>
        </span>
      ),
    },
    {
      key: 'owner',
      label: t('users.user'),
      isExtra: true,
      cell: ({ user_id: user }) => <UserLink id={user} />,
    },
    {
      key: 'limit',
      label: t('control.dailyLimit'),
      isNumber: true,
      cell: ({ daily_limit: limit }) =>
        limit === null ? t('console.none') : <Amount value={limit} unit={currency} />,
    },
    {
      key: 'personal',
      label: t('control.personal'),
      cell: ({ may_read_personal: isTrue }) => t(isTrue ? 'roles.yes' : 'roles.no'),
    },
    {
      key: 'granted',
      label: t('control.granted'),
      isExtra: true,
      cell: ({ granted_at: at }) => time(at, 'short'),
    },
    {
      key: 'acts',
      label: <span className="sr-only">{t('users.acts')}</span>,
      isNumber: true,
      cell: (grant) =>
        may('grantKey') && (
          <span className="my-0.5 inline-flex gap-1">
            <Button size="small" onClick={() => onChange(grant)}>
              {t('people.change')}
            </Button>
            <Button size="small" look="danger" onClick={() => onRemove(grant)}>
              {t('control.remove')}
            </Button>
          </span>
        ),
    },
  ];
}

function GrantDialog({
  currency,
  grant,
  onClose,
}: {
  grant: KeyGrant | undefined;
  currency: string;
  onClose(): void;
}) {
  const { t } = useLook();
  const [key, setKey] = useState(grant === undefined ? '' : String(grant.key_id));
  const [limit, setLimit] = useState(grant?.daily_limit ?? '');
  const [mayRead, setMayRead] = useState(grant?.may_read_personal ?? false);
  const keyId = idOf(key);
  return (
    <ActDialog
      title={t(grant === undefined ? 'control.grantTitle' : 'control.changeGrant', { key })}
      submit={t('control.grant')}
      isDisabled={keyId === undefined || (limit === '' && !mayRead)}
      act={() =>
        exchange.changeKeyGrant({
          key_id: keyId ?? 0,
          daily_limit: limit === '' ? null : limit,
          may_read_personal: mayRead,
        })
      }
      onClose={onClose}
    >
      <p className="text-body">{t('control.grantText')}</p>
      {grant === undefined && (
        <Field
          label={t('control.keyId')}
          required
          inputMode="numeric"
          dir="ltr"
          value={key}
          onChange={({ target }) => setKey(target.value.trim())}
        />
      )}
      <DecimalField
        label={t('control.dailyLimit')}
        hint={t('control.dailyLimitHint')}
        after={currency.toUpperCase()}
        increment={INCREMENT}
        value={limit}
        onValue={setLimit}
      />
      <Checkbox label={t('control.mayRead')} isOn={mayRead} onChange={setMayRead} />
    </ActDialog>
  );
}

function RemoveDialog({ grant, onClose }: { grant: KeyGrant; onClose(): void }) {
  const { t } = useLook();
  const { key_id } = grant;
  return (
    <ActDialog
      title={t('control.removeGrant', { key: key_id })}
      submit={t('control.remove')}
      isDanger
      act={() => exchange.changeKeyGrant({ key_id, daily_limit: null, may_read_personal: false })}
      onClose={onClose}
    >
      <p className="text-body">{t('control.removeGrantText')}</p>
    </ActDialog>
  );
}
