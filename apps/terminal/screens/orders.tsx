// Open orders, closed orders, and fills. The URL has the filters.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import {
  Button,
  Dialog,
  marketName,
  Panel,
  Segments,
  Select,
  showToast,
  stateOfList,
  useCell,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import {
  fillsQuery,
  type OrderFilter,
  ordersQuery,
  PAGE_ROWS,
  readFilter,
  VIEWS,
  writeFilter,
} from '../money/order-filter.ts';
import { FillTable, OrderTable } from '../money/order-rows.tsx';
import { SignInLink } from '../money/parts.tsx';
import { useFreshOn } from '../money/queries.ts';
import { useSession } from '../session.tsx';
import { staleOr, useStale } from '../stale.ts';
import { PendingLane } from '../trade/pending-lane.tsx';
import { usePending } from '../trade/use-pending.ts';

type Change = (change: Partial<OrderFilter>) => void;

export function Screen() {
  const { t } = useLook();
  const { user } = useSession();
  const navigate = useNavigate();
  const filter = readFilter(useSearch({ strict: false }));
  const change: Change = (next) =>
    void navigate({ to: '/orders', search: writeFilter(filter, next) as never, replace: true });
  useFreshOn(['order', 'usertrade'], ['orders', 'fills']);
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-1">
      <h1 className="sr-only">{t('nav.orders')}</h1>
      {user === null ? (
        <Panel
          title={t('nav.orders')}
          state={{ kind: 'forbidden', needs: 'session' }}
          signIn={<SignInLink />}
        >
          {null}
        </Panel>
      ) : (
        <>
          <Lane />
          <Filters filter={filter} change={change} />
          {filter.view === 'fills' ? (
            <Fills filter={filter} change={change} />
          ) : (
            <Orders filter={filter} change={change} />
          )}
        </>
      )}
    </div>
  );
}

/** Orders without a response, from every screen in this tab. */
function Lane() {
  const lane = usePending();
  return (
    <div className="rounded bg-panel empty:hidden">
      <PendingLane lane={lane} />
    </div>
  );
}

function Filters({ change, filter }: { filter: OrderFilter; change: Change }) {
  const { t } = useLook();
  const { data: constants } = useQuery(constantsQuery);
  const any = { value: '', label: t('orders.any') } as const;
  const pairs = Object.keys(constants?.pairs ?? {});
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-end gap-2 rounded bg-panel p-2">
      <Segments
        label={t('orders.show')}
        value={filter.view}
        onValue={(view) => change({ view })}
        className="max-sm:w-full"
        choices={VIEWS.map((view) => ({ value: view, label: t(`orders.view.${view}`) }))}
      />
      <Button aria-expanded={isOpen} className="sm:hidden" onClick={() => setOpen((was) => !was)}>
        <SlidersHorizontal size={14} aria-hidden="true" />
        {t('orders.filters')}
      </Button>
      <div className={`flex flex-wrap items-end gap-2 ${isOpen ? '' : 'max-sm:hidden'}`}>
        <Select
          label={t('shell.pair')}
          value={filter.symbol}
          onValue={(symbol) => change({ symbol })}
          className="w-32"
          choices={[
            any,
            ...pairs.map((symbol) => ({
              value: symbol,
              label: marketName(symbol),
            })),
          ]}
        />
        {filter.view !== 'fills' && (
          <Select
            label={t('orders.side')}
            value={filter.side}
            onValue={(side) => change({ side })}
            className="w-24"
            choices={[
              any,
              { value: 'buy', label: t('orders.buy') },
              { value: 'sell', label: t('orders.sell') },
            ]}
          />
        )}
        {filter.view === 'history' && (
          <Select
            label={t('orders.status')}
            value={filter.status}
            onValue={(status) => change({ status })}
            className="w-28"
            choices={[
              any,
              { value: 'filled', label: t('orders.is.filled') },
              { value: 'canceled', label: t('orders.is.canceled') },
            ]}
          />
        )}
        <Day label={t('orders.from')} value={filter.from} onValue={(from) => change({ from })} />
        <Day label={t('orders.to')} value={filter.to} onValue={(to) => change({ to })} />
      </div>
      <div className="ms-auto flex items-center gap-2">
        {filter.view === 'open' && <CancelAll filter={filter} />}
        <Export filter={filter} />
      </div>
    </div>
  );
}

function Day({
  label,
  onValue,
  value,
}: {
  label: string;
  value: string;
  onValue(value: string): void;
}) {
  return (
    <label className="flex flex-col gap-1 text-label text-quiet">
      {label}
      <input
        type="date"
        value={value}
        onChange={({ target }) => onValue(target.value)}
        className="h-control w-34 rounded border border-edge bg-raised px-2 text-body text-text"
      />
    </label>
  );
}

function Orders({ change, filter }: { filter: OrderFilter; change: Change }) {
  const { t } = useLook();
  const query = { ...ordersQuery(filter), limit: PAGE_ROWS, page: filter.page };
  const orders = useQuery({
    queryKey: ['private', 'orders', query],
    queryFn: ({ signal }) => exchange.getOrders(query, { signal }),
    placeholderData: (last) => last,
  });
  const isOpen = filter.view === 'open';
  const title = t(`orders.view.${filter.view}`);
  const rows = orders.data?.data ?? [];
  return (
    <Panel
      title={title}
      isTitleHidden
      state={staleOr(
        stateOfList(
          { error: orders.error, data: orders.data?.data },
          t(isOpen ? 'orders.noOpen' : 'orders.noHistory'),
        ),
        useStale(),
      )}
      onRetry={() => void orders.refetch()}
      skeletonRows={12}
    >
      <OrderTable caption={title} rows={rows} canCancel={isOpen} />
      <Pages count={orders.data?.count ?? 0} page={filter.page} change={change} />
    </Panel>
  );
}

function Fills({ change, filter }: { filter: OrderFilter; change: Change }) {
  const { t } = useLook();
  const query = { ...fillsQuery(filter), limit: PAGE_ROWS, page: filter.page };
  const fills = useQuery({
    queryKey: ['private', 'fills', query],
    queryFn: ({ signal }) => exchange.getUserTrades(query, { signal }),
    placeholderData: (last) => last,
  });
  const title = t('orders.view.fills');
  return (
    <Panel
      title={title}
      isTitleHidden
      state={staleOr(
        stateOfList({ error: fills.error, data: fills.data?.data }, t('orders.noFills')),
        useStale(),
      )}
      onRetry={() => void fills.refetch()}
      skeletonRows={12}
    >
      <FillTable caption={title} rows={fills.data?.data ?? []} />
      <Pages count={fills.data?.count ?? 0} page={filter.page} change={change} />
    </Panel>
  );
}

function Pages({ change, count, page }: { count: number; page: number; change: Change }) {
  const { t } = useLook();
  const last = Math.max(1, Math.ceil(count / PAGE_ROWS));
  if (last === 1) return null;
  return (
    <nav
      aria-label={t('orders.pages')}
      className="flex items-center justify-end gap-2 border-t border-line p-2"
    >
      <span className="text-label text-quiet">{t('orders.page', { page, last })}</span>
      <Button size="small" disabled={page <= 1} onClick={() => change({ page: page - 1 })}>
        {t('orders.newer')}
      </Button>
      <Button size="small" disabled={page >= last} onClick={() => change({ page: page + 1 })}>
        {t('orders.older')}
      </Button>
    </nav>
  );
}

/** Exports every row of the current filters. */
function Export({ filter }: { filter: OrderFilter }) {
  const { t } = useLook();
  const isFills = filter.view === 'fills';
  const save = useMutation({
    mutationFn: () =>
      isFills
        ? exchange.csv('getUserTrades', fillsQuery(filter))
        : exchange.csv('getOrders', ordersQuery(filter)),
    onSuccess: (text) => saveFile(`rialto-${filter.view}.csv`, text),
    onError: (error) => showToast('refused', t('orders.notExported'), error.message),
  });
  return (
    <Button isBusy={save.isPending} disabled={save.isPending} onClick={() => save.mutate()}>
      <Download size={14} aria-hidden="true" />
      {t('orders.export')}
    </Button>
  );
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function CancelAll({ filter }: { filter: OrderFilter }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { symbol } = filter;
  const { isKnown, open } = useCell(useSession().account);
  const hasOrders = open.some((order) => symbol === '' || order.symbol === symbol);
  const cancel = useMutation({
    networkMode: 'always',
    mutationFn: () =>
      symbol === '' ? exchange.cancelAllOrders() : exchange.cancelOrdersOfMarket({ symbol }),
    onSuccess: (orders) => showToast('done', t('orders.canceledCount', { count: orders.length })),
    onError: (error) => showToast('refused', t('orders.notCanceled'), error.message),
    onSettled: () => {
      setAsking(false);
      void queries.invalidateQueries({ queryKey: ['private', 'orders'] });
    },
  });
  const question =
    symbol === ''
      ? t('orders.cancelAllQuestion')
      : t('orders.cancelPairQuestion', { pair: marketName(symbol) });
  return (
    <>
      <Button look="danger" disabled={isKnown && !hasOrders} onClick={() => setAsking(true)}>
        {t('orders.cancelAll')}
      </Button>
      <Dialog title={t('orders.cancelAll')} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p className="text-value">{question}</p>
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setAsking(false)}>{t('shell.close')}</Button>
          <Button look="danger" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('orders.cancelAll')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
