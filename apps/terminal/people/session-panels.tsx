// Active sessions and past logins of the account.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserLogin, UserSession } from '../../../client/index.ts';
import { Chip, deviceName, Refusal, useAct } from '../../forms/index.ts';
import { Button, type Column, Panel, stateOfList, useLook, WideTable } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { outcomeWord } from './login-outcome.ts';

export const SESSIONS_KEY = ['private', 'sessions'];
const PAGE = 20;

/** Returns a country name in the page's language. */
export function usePlace(): (country: string, ip: string) => string {
  const { preferences } = useLook();
  const names = new Intl.DisplayNames(preferences.language, { type: 'region' });
  return (country, ip) =>
    [/^[A-Z]{2}$/.test(country) ? names.of(country) : undefined, ip]
      .filter((part) => part !== undefined && part !== '')
      .join(' · ');
}

export function SessionsPanel() {
  const { t } = useLook();
  const query = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: async ({ signal }) =>
      (await exchange.getSessions({ status: true, limit: 50 }, { signal })).data,
  });
  const queries = useQueryClient();
  const others = query.data?.filter(({ current }) => !current) ?? [];
  const endOthers = useAct(async () => {
    for (const { id } of others) await exchange.revokeSession({ session_id: id });
    await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
  });
  return (
    <Panel
      title={t('sessions.title')}
      state={stateOfList(query, t('sessions.none'))}
      onRetry={() => void query.refetch()}
      after={
        others.length > 1 && (
          <Button
            size="small"
            look="danger"
            isBusy={endOthers.isBusy}
            onClick={() => endOthers.run()}
          >
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <Refusal error={endOthers.error} />
      <SessionTable sessions={query.data ?? []} />
    </Panel>
  );
}

function SessionTable({ sessions }: { sessions: readonly UserSession[] }) {
  const { t, time } = useLook();
  const queries = useQueryClient();
  const place = usePlace();
  const end = useAct(async (id: number) => {
    await exchange.revokeSession({ session_id: id });
    await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
  });
  const columns: readonly Column<UserSession>[] = [
    { key: 'device', label: t('sessions.device'), cell: ({ login }) => deviceName(login.device) },
    {
      key: 'place',
      label: t('sessions.place'),
      cell: ({ login }) => <bdi>{place(login.country, login.ip)}</bdi>,
    },
    {
      key: 'since',
      label: t('sessions.since'),
      isExtra: true,
      cell: ({ created_at }) => time(created_at, 'short'),
    },
    {
      key: 'until',
      label: t('sessions.until'),
      isExtra: true,
      cell: ({ expiry_date }) => time(expiry_date, 'short'),
    },
    {
      key: 'end',
      label: <span className="sr-only">{t('sessions.end')}</span>,
      isNumber: true,
      cell: ({ current, id, login }) =>
        current ? (
          <Chip color="text-up">{t('sessions.this')}</Chip>
        ) : (
          <Button
            size="small"
            aria-label={t('sessions.endOf', { device: deviceName(login.device) })}
            isBusy={end.isBusy}
            onClick={() => end.run(id)}
          >
            {t('sessions.end')}
          </Button>
        ),
    },
  ];
  return (
    <>
      <Refusal error={end.error} />
      <WideTable
        caption={t('sessions.title')}
        columns={columns}
        rows={sessions}
        keyOf={({ id }) => String(id)}
      />
    </>
  );
}

export function LoginsPanel() {
  const { t, time } = useLook();
  const place = usePlace();
  const [page, setPage] = useState(1);
  const query = useQuery({
    queryKey: ['private', 'logins', page],
    queryFn: ({ signal }) => exchange.getLogins({ limit: PAGE, page }, { signal }),
    placeholderData: (before) => before,
  });
  const columns: readonly Column<UserLogin>[] = [
    { key: 'time', label: t('sessions.time'), cell: ({ timestamp }) => time(timestamp, 'short') },
    {
      key: 'device',
      label: t('sessions.device'),
      isExtra: true,
      cell: ({ device }) => deviceName(device),
    },
    {
      key: 'place',
      label: t('sessions.place'),
      cell: ({ country, ip }) => <bdi>{place(country, ip)}</bdi>,
    },
    {
      key: 'outcome',
      label: t('sessions.outcome'),
      isNumber: true,
      cell: ({ outcome, status }) =>
        status ? (
          <Chip color="text-up">{t('sessions.success')}</Chip>
        ) : (
          <Chip color="text-down">{t(outcomeWord(outcome))}</Chip>
        ),
    },
  ];
  const pages = Math.max(1, Math.ceil((query.data?.count ?? 0) / PAGE));
  return (
    <Panel
      title={t('sessions.logins')}
      state={stateOfList({ error: query.error, data: query.data?.data }, t('sessions.none'))}
      onRetry={() => void query.refetch()}
      after={<Pager page={page} pages={pages} onPage={setPage} />}
    >
      <WideTable
        caption={t('sessions.logins')}
        columns={columns}
        rows={query.data?.data ?? []}
        keyOf={({ id }) => String(id)}
      />
    </Panel>
  );
}

function Pager({
  onPage,
  page,
  pages,
}: {
  page: number;
  pages: number;
  onPage(page: number): void;
}) {
  const { t } = useLook();
  if (pages <= 1) return null;
  return (
    <span className="flex items-center gap-1 text-label text-quiet">
      <Button size="small" look="quiet" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('people.newer')}
      </Button>
      {t('people.pageOf', { page, pages })}
      <Button size="small" look="quiet" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t('people.older')}
      </Button>
    </span>
  );
}
