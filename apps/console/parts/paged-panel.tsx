// A paginated API list with its filters, the total row count, and the export.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button, type Column, Panel, stateOfList, WideTable } from '../../ui/index.ts';
import { useLook } from '../use-words.ts';

const PAGE_ROWS = 50;

export interface Page<Row> {
  readonly count: number;
  readonly data: readonly Row[];
}

export interface PagedPanelProps<Row> {
  readonly title: string;
  /** Identifies the list and all its filters. A new key starts at the first page. */
  readonly queryKey: readonly unknown[];
  load(page: { page: number; limit: number }, signal: AbortSignal): Promise<Page<Row>>;
  readonly columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  readonly emptyText: string;
  readonly filters?: ReactNode;
  readonly after?: ReactNode;
  readonly isTitleHidden?: boolean;
  readonly refetchEveryMs?: number;
}

export function PagedPanel<Row>(props: PagedPanelProps<Row>) {
  return <Pages key={JSON.stringify(props.queryKey)} {...props} />;
}

function Pages<Row>(props: PagedPanelProps<Row>) {
  const { columns, emptyText, filters, isTitleHidden, keyOf, load, queryKey, title } = props;
  const { t } = useLook();
  const [page, setPage] = useState(1);
  const list = useQuery({
    queryKey: ['private', ...queryKey, page],
    queryFn: ({ signal }) => load({ page, limit: PAGE_ROWS }, signal),
    placeholderData: keepPreviousData,
    ...(props.refetchEveryMs !== undefined && { refetchInterval: props.refetchEveryMs }),
  });
  const pages = Math.max(1, Math.ceil((list.data?.count ?? 0) / PAGE_ROWS));
  return (
    <div className="flex flex-col gap-1">
      {filters !== undefined && (
        <div className="flex flex-wrap items-end gap-2 rounded bg-panel p-2">{filters}</div>
      )}
      <Panel
        title={title}
        {...(isTitleHidden !== undefined && { isTitleHidden })}
        after={props.after}
        state={stateOfList({ error: list.error, data: list.data?.data }, emptyText)}
        onRetry={() => void list.refetch()}
      >
        <WideTable caption={title} columns={columns} rows={list.data?.data ?? []} keyOf={keyOf} />
        {pages > 1 && (
          <nav
            aria-label={title}
            className="flex items-center justify-end gap-2 border-t border-line p-1 text-label text-quiet"
          >
            <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t('people.newer')}
            </Button>
            <span>{t('people.pageOf', { page, pages })}</span>
            <Button size="small" disabled={page === pages} onClick={() => setPage(page + 1)}>
              {t('people.older')}
            </Button>
          </nav>
        )}
      </Panel>
    </div>
  );
}
