// Reports: list exports, the export history, and verifying a file by its hash.

import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import type { ListExport } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import { Amount, type Column, Panel, READY } from '../../ui/index.ts';
import { mayExport } from '../access.ts';
import { exchange } from '../exchange.ts';
import { ExportButton } from '../parts/export-button.tsx';
import { sha256Of } from '../parts/export-file.ts';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { textOf } from '../parts/value.ts';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';

export function Screen() {
  const { t } = useLook();
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.reports')}</h1>
      <div className="grid gap-1 xl:grid-cols-2">
        <Files />
        <FileCheck />
      </div>
      <Exports />
    </div>
  );
}

/** Lists without personal data that need no further choice. */
const LISTS = [
  { name: 'balances', call: 'getBalancesOfUsers' },
  { name: 'orders', call: 'getOrdersOfUsers' },
  { name: 'trades', call: 'getTradesOfUsers' },
  { name: 'deposits', call: 'getDepositsOfUsers' },
  { name: 'withdrawals', call: 'getWithdrawalsOfUsers' },
  { name: 'audit', call: 'getAudits' },
  { name: 'stakers', call: 'getStakers' },
  { name: 'findings', call: 'getFindings' },
  { name: 'networkFees', call: 'getNetworkFees' },
] as const;

function Files() {
  const { t } = useLook();
  const operator = useOperator();
  const lists = LISTS.filter(({ call }) => mayExport(operator, call));
  const state =
    lists.length === 0 ? ({ kind: 'empty', text: t('reports.noFiles') } as const) : READY;
  return (
    <Panel title={t('reports.files')} state={state}>
      <p className="px-2 pt-2 text-body text-quiet">{t('reports.filesText')}</p>
      <ul>
        {lists.map(({ call, name }) => (
          <li
            key={name}
            className="flex items-center justify-between gap-2 border-b border-line px-2 py-1 text-body last:border-b-0"
          >
            <span className="flex-none">{t(`reports.list.${name}`)}</span>
            <ExportButton name={name} load={() => exchange.csv(call)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function FileCheck() {
  const { t, time } = useLook();
  const [hash, setHash] = useState('');
  const found = useQuery({
    queryKey: ['private', 'exports', 'hash', hash],
    enabled: hash !== '',
    queryFn: async ({ signal }) => (await exchange.getExports({ sha256: hash }, { signal })).data,
  });
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file !== undefined) setHash(await sha256Of(new Uint8Array(await file.arrayBuffer())));
  };
  return (
    <Panel title={t('reports.check')} state={READY}>
      <div className="flex flex-col gap-2 p-2 text-body">
        <label className="flex flex-col gap-1 text-label text-quiet">
          {t('reports.checkText')}
          <input type="file" onChange={(event) => void choose(event)} className="text-body" />
        </label>
        <div role="status" className="flex flex-col gap-1">
          {hash !== '' && (
            <bdi dir="ltr" className="font-mono break-all">
              SHA-256 {hash}
            </bdi>
          )}
          {found.data?.length === 0 && <p className="text-down">✕ {t('reports.notOurs')}</p>}
          {found.data?.map((one) => (
            <p key={one.id} className="text-up">
              ✓{' '}
              {t('reports.ours', {
                list: one.list,
                operator: one.operator_id,
                time: time(one.started_at, 'full'),
                rows: one.rows ?? 0,
              })}
            </p>
          ))}
        </div>
      </div>
    </Panel>
  );
}

const COLOURS: Readonly<Record<string, string>> = {
  complete: 'text-up',
  broken: 'text-down',
  sending: 'text-warn',
};

function Exports() {
  const { t, time } = useLook();
  const nameOf = useNames();
  const columns: Column<ListExport>[] = [
    { key: 'id', label: t('users.number'), isNumber: true, cell: ({ id }) => id },
    { key: 'at', label: t('overview.when'), cell: (one) => time(one.started_at, 'full') },
    { key: 'who', label: t('overview.who'), isNumber: true, cell: (one) => one.operator_id },
    {
      key: 'list',
      label: t('reports.list'),
      cell: ({ format, list }) => (
        <bdi title={list}>{`${nameOf('reports.list', list)} (${format.toUpperCase()})`}</bdi>
      ),
    },
    {
      key: 'filters',
      label: t('reports.filters'),
      isExtra: true,
      cell: ({ filters }) => (
        <bdi dir="ltr" className="block max-w-56 truncate" title={textOf(filters, { nameOf })}>
          {textOf(filters, { nameOf })}
        </bdi>
      ),
    },
    {
      key: 'state',
      label: t('users.state'),
      cell: ({ state }) => (
        <Chip color={COLOURS[state] ?? 'text-quiet'}>
          {t(`reports.state.${state as 'complete'}`)}
        </Chip>
      ),
    },
    {
      key: 'rows',
      label: t('reports.rows'),
      isNumber: true,
      cell: ({ rows }) => <Amount value={rows === null ? null : String(rows)} />,
    },
    {
      key: 'hash',
      label: 'SHA-256',
      cell: ({ sha256 }) => (
        <bdi dir="ltr" className="block max-w-40 truncate font-mono" title={sha256 ?? undefined}>
          {sha256 ?? '–'}
        </bdi>
      ),
    },
  ];
  return (
    <PagedPanel
      title={t('reports.exports')}
      queryKey={['exports']}
      load={(page, signal) => exchange.getExports(page, { signal })}
      columns={columns}
      keyOf={({ id }) => String(id)}
      emptyText={t('reports.noExports')}
    />
  );
}
