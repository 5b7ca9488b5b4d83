// Known devices. Removing one ends its sessions, and its next login counts as a new device.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserDevice } from '../../../client/index.ts';
import { deviceName, Refusal, useAct } from '../../forms/index.ts';
import { Button, type Column, Panel, stateOfList, useLook, WideTable } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { SESSIONS_KEY, usePlace } from './session-panels.tsx';

const DEVICES_KEY = ['private', 'devices'];

export function DevicesPanel() {
  const { t, time } = useLook();
  const place = usePlace();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: DEVICES_KEY,
    queryFn: async ({ signal }) => (await exchange.getDevices({ signal })).data,
  });
  const forget = useAct(async (id: number) => {
    await exchange.revokeDevice({ id });
    await queries.invalidateQueries({ queryKey: DEVICES_KEY });
    await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
  });
  const columns: readonly Column<UserDevice>[] = [
    { key: 'device', label: t('sessions.device'), cell: ({ device }) => deviceName(device) },
    {
      key: 'place',
      label: t('sessions.place'),
      cell: ({ country, network }) => <bdi>{place(country, network)}</bdi>,
    },
    {
      key: 'first',
      label: t('devices.first'),
      isExtra: true,
      cell: ({ first_seen }) => time(first_seen, 'short'),
    },
    {
      key: 'last',
      label: t('people.lastUsed'),
      isExtra: true,
      cell: ({ last_seen }) => time(last_seen, 'short'),
    },
    {
      key: 'forget',
      label: <span className="sr-only">{t('devices.forget')}</span>,
      isNumber: true,
      cell: ({ device, id }) => (
        <Button
          size="small"
          aria-label={t('devices.forgetOf', { device: deviceName(device) })}
          isBusy={forget.isBusy}
          onClick={() => forget.run(id)}
        >
          {t('devices.forget')}
        </Button>
      ),
    },
  ];
  return (
    <Panel
      title={t('devices.title')}
      state={stateOfList(query, t('devices.none'))}
      onRetry={() => void query.refetch()}
    >
      <Refusal error={forget.error} />
      <WideTable
        caption={t('devices.title')}
        columns={columns}
        rows={query.data ?? []}
        keyOf={({ id }) => String(id)}
      />
    </Panel>
  );
}
