// Everything that happened to a user, newest first.

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TimelineEntry } from '../../../client/index.ts';
import { Button, type Column, Panel, Select, stateOfList, WideTable } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { Named } from '../parts/named.tsx';
import { textOf } from '../parts/value.ts';
import { useLook, useNames } from '../use-words.ts';

/** All types; the compiler reports a missing one. */
const TYPES: Readonly<Record<TimelineEntry['type'], true>> = {
  account: true,
  login: true,
  device: true,
  session: true,
  security: true,
  api_key: true,
  bank_account: true,
  payment_detail: true,
  address_book: true,
  deposit: true,
  withdrawal: true,
  stake: true,
  operator: true,
  reveal: true,
  mail: true,
};
const TYPE_NAMES = Object.keys(TYPES) as TimelineEntry['type'][];
type Type = TimelineEntry['type'] | 'all';

export function TimelineTab({ user }: { user: number }) {
  const { t, time } = useLook();
  const nameOf = useNames();
  const [type, setType] = useState<Type>('all');
  const pages = useInfiniteQuery({
    queryKey: ['private', 'timeline', user, type],
    queryFn: ({ pageParam, signal }) =>
      exchange.getTimeline(
        {
          user_id: user,
          ...(pageParam !== null && { before: pageParam }),
          ...(type !== 'all' && { types: [type] }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const rows = pages.data?.pages.flatMap(({ data }) => data);
  const columns: Column<TimelineEntry>[] = [
    { key: 'at', label: t('overview.when'), cell: ({ at }) => time(at, 'full') },
    { key: 'type', label: t('users.type'), cell: (entry) => nameOf('timeline', entry.type) },
    {
      key: 'event',
      label: t('users.event'),
      cell: (entry) => <Named area={`event.${entry.type}`} name={entry.event} />,
    },
    {
      key: 'details',
      label: t('users.details'),
      cell: ({ details }) => (
        <bdi dir="ltr" className="block max-w-xl truncate" title={textOf(details, { nameOf })}>
          {textOf(details, { nameOf })}
        </bdi>
      ),
    },
  ];
  return (
    <Panel
      title={t('users.timeline')}
      after={
        <Select
          size="small"
          isLabelHidden
          label={t('users.type')}
          value={type}
          onValue={setType}
          choices={(['all', ...TYPE_NAMES] as const).map((value) => ({
            value,
            label: value === 'all' ? t('console.all') : nameOf('timeline', value),
          }))}
        />
      }
      state={stateOfList({ error: pages.error, data: rows }, t('users.noEvents'))}
      onRetry={() => void pages.refetch()}
    >
      <WideTable
        caption={t('users.timeline')}
        columns={columns}
        rows={rows ?? []}
        keyOf={({ at, event, id, type: kind }) => `${at} ${kind} ${id} ${event}`}
      />
      {pages.hasNextPage && (
        <Button
          className="m-2"
          isBusy={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {t('console.more')}
        </Button>
      )}
    </Panel>
  );
}
