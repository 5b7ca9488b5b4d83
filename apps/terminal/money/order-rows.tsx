// Orders as rows that expand to their fills, and fills as rows.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import { type OrderInList, RialtoError, type UserTrade } from '../../../client/index.ts';
import { isZero, multiply } from '../../decimals/index.ts';
import {
  Amount,
  Button,
  type Column,
  marketName,
  showToast,
  Table,
  useLook,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { KindWord, OrderPrice } from '../trade/order-cells.tsx';
import { useMarketScales } from '../trade/use-market-scales.ts';
import { filledRatio, liquidityOf } from './order-filter.ts';
import { PairName } from './parts.tsx';

const HEAD = 'h-6 border-b border-line px-2 text-label font-normal whitespace-nowrap text-quiet';
const CELL = 'h-row px-2 whitespace-nowrap';

export function SideWord({ side }: { side: 'buy' | 'sell' }) {
  const { t } = useLook();
  return <span className={side === 'buy' ? 'text-up' : 'text-down'}>{t(`orders.${side}`)}</span>;
}

export function OrderTable({
  canCancel,
  caption,
  rows,
}: {
  caption: string;
  rows: readonly OrderInList[];
  canCancel: boolean;
}) {
  const { t } = useLook();
  const [opened, setOpened] = useState<string>();
  const heads: readonly (readonly [word: string, look: string])[] = [
    [t('orders.time'), 'text-start max-md:hidden'],
    [t('shell.pair'), 'text-start'],
    [t('orders.side'), 'text-start'],
    [t('orders.type'), 'text-start max-md:hidden'],
    [t('orders.price'), 'text-end'],
    [t('orders.size'), 'text-end max-md:hidden'],
    [t('orders.filled'), 'text-end'],
    [t('orders.average'), 'text-end max-md:hidden'],
    [t('orders.status'), 'text-start max-sm:hidden'],
  ];
  return (
    <table className="w-full border-separate border-spacing-0 text-body">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col" className={`${HEAD} w-8`}>
            <span className="sr-only">{t('orders.details')}</span>
          </th>
          {heads.map(([word, look]) => (
            <th key={word} scope="col" className={`${HEAD} ${look}`}>
              {word}
            </th>
          ))}
          {canCancel && (
            <th scope="col" className={HEAD}>
              <span className="sr-only">{t('orders.cancel')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((order) => (
          <Fragment key={order.id}>
            <OrderRow
              order={order}
              canCancel={canCancel}
              isOpen={order.id === opened}
              onToggle={() => setOpened(order.id === opened ? undefined : order.id)}
            />
            {order.id === opened && (
              <tr>
                <td colSpan={heads.length + (canCancel ? 2 : 1)} className="bg-raised p-3">
                  <OrderDetails order={order} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function OrderRow({
  canCancel,
  isOpen,
  onToggle,
  order,
}: {
  order: OrderInList;
  canCancel: boolean;
  isOpen: boolean;
  onToggle(): void;
}) {
  const { t, time } = useLook();
  const cancel = useCancelOrder();
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const pair = marketName(order.symbol);
  const scale = useMarketScales()(order.symbol);
  return (
    <tr className="hover:bg-raised">
      <td className={CELL}>
        <Button
          look="quiet"
          size="icon"
          aria-expanded={isOpen}
          aria-label={t('orders.detailsOf', { pair, side: t(`orders.${order.side}`) })}
          onClick={onToggle}
        >
          <Chevron size={14} aria-hidden="true" className="rtl:-scale-x-100" />
        </Button>
      </td>
      <td className={`${CELL} max-md:hidden`}>
        <bdi>{time(order.created_at, 'seconds')}</bdi>
      </td>
      <td className={CELL}>
        <PairName symbol={order.symbol} />
      </td>
      <td className={CELL}>
        <SideWord side={order.side} />
        <span className="block text-label text-quiet md:hidden">
          <KindWord order={order} />
        </span>
      </td>
      <td className={`${CELL} max-md:hidden`}>
        <KindWord order={order} />
      </td>
      <td className={`${CELL} text-end`}>
        <OrderPrice order={order} scale={scale.price} />
      </td>
      <td className={`${CELL} text-end max-md:hidden`}>
        <Amount value={order.size} scale={scale.size} />
      </td>
      <td className={`${CELL} text-end`}>
        <Filled order={order} />
      </td>
      <td className={`${CELL} text-end max-md:hidden`}>
        {isZero(order.average) ? '–' : <Amount value={order.average} scale={scale.price} />}
      </td>
      <td className={`${CELL} max-sm:hidden`}>{t(`orders.is.${order.status}`)}</td>
      {canCancel && (
        <td className={`${CELL} text-end`}>
          <Button
            size="small"
            look="danger"
            aria-label={t('orders.cancelOf', { pair, side: t(`orders.${order.side}`) })}
            isBusy={cancel.isPending}
            disabled={cancel.isPending}
            onClick={() => cancel.mutate(order.id)}
          >
            {t('orders.cancel')}
          </Button>
        </td>
      )}
    </tr>
  );
}

function Filled({ order }: { order: OrderInList }) {
  const { percent } = useLook();
  const ratio = filledRatio(order);
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className="h-1 w-10 overflow-hidden rounded bg-line">
        <span className="block h-full bg-accent" style={{ inlineSize: `${ratio * 100}%` }} />
      </span>
      <bdi dir="ltr" className="w-9">
        {percent(String(ratio), { scale: 0 })}
      </bdi>
    </span>
  );
}

function useCancelOrder() {
  const { t } = useLook();
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (id: string) => exchange.cancelOrder({ order_id: id }),
    onSuccess: () => showToast('done', t('orders.canceledNow')),
    onError: (error) => {
      const isUnknown = error instanceof RialtoError && error.isOutcomeUnknown;
      showToast(isUnknown ? 'unknown' : 'refused', t('orders.notCanceled'), error.message);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['private', 'orders'] }),
  });
}

/** Margin before and after the order, because fills have their own times. */
const MARGIN_MS = 60_000;

/** The trade list has no filter by order, so it is queried for the order's time range. */
function fillsOfOrder(order: OrderInList) {
  const at = (time: string, byMs: number) => new Date(Date.parse(time) + byMs).toISOString();
  return {
    queryKey: ['private', 'fills of', order.id, order.updated_at],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { data } = await exchange.getUserTrades(
        {
          symbol: order.symbol,
          start_date: at(order.created_at, -MARGIN_MS),
          end_date: at(order.updated_at, MARGIN_MS),
          format: 'all',
        },
        { signal },
      );
      return data.filter(({ order_id }) => order_id === order.id);
    },
    enabled: !isZero(order.filled),
  };
}

function OrderDetails({ order }: { order: OrderInList }) {
  const { t, time } = useLook();
  const fills = useQuery(fillsOfOrder(order));
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    [
      t('orders.time'),
      <bdi key="time" dir="ltr">
        {time(order.created_at, 'full')}
      </bdi>,
    ],
    [t('orders.size'), <Amount key="size" value={order.size} unit={order.symbol.split('-')[0]} />],
    [t('orders.fee'), <Amount key="fee" value={order.fee} unit={order.fee_coin} />],
    [
      t('orders.status'),
      t(
        order.close_reason === undefined
          ? `orders.is.${order.status}`
          : `orders.why.${order.close_reason}`,
      ),
    ],
    [
      t('orders.id'),
      <bdi key="id" dir="ltr" className="break-all">
        {order.id}
      </bdi>,
    ],
  ];
  return (
    <div className="flex flex-col gap-3 whitespace-normal">
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt className="text-label text-quiet">{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isZero(order.filled) ? (
        <p className="text-quiet">
          {t(order.status === 'canceled' ? 'orders.noFill' : 'orders.noFillYet')}
        </p>
      ) : fills.error !== null ? (
        <p role="alert" className="text-down">
          {fills.error.message}
        </p>
      ) : fills.data === undefined ? (
        <span className="skeleton h-10" />
      ) : (
        <FillTable caption={t('orders.fills')} rows={fills.data} rates={order.fee_structure} />
      )}
    </div>
  );
}

export function FillTable({
  caption,
  rates,
  rows,
}: {
  caption: string;
  rows: readonly UserTrade[];
  /** Rates of the order, if all fills belong to one. */
  rates?: OrderInList['fee_structure'];
}) {
  const { t, time } = useLook();
  const scaleOf = useMarketScales();
  const columns: readonly Column<UserTrade>[] = [
    {
      key: 'time',
      label: t('orders.time'),
      cell: ({ timestamp }) => <bdi>{time(timestamp, 'seconds')}</bdi>,
    },
    { key: 'pair', label: t('shell.pair'), cell: ({ symbol }) => <PairName symbol={symbol} /> },
    { key: 'side', label: t('orders.side'), cell: ({ side }) => <SideWord side={side} /> },
    {
      key: 'price',
      label: t('orders.price'),
      isNumber: true,
      cell: ({ price, symbol }) => <Amount value={price} scale={scaleOf(symbol).price} />,
    },
    {
      key: 'size',
      label: t('orders.size'),
      isNumber: true,
      cell: ({ size, symbol }) => <Amount value={size} scale={scaleOf(symbol).size} />,
    },
    {
      key: 'total',
      label: t('orders.total'),
      isNumber: true,
      isExtra: true,
      cell: ({ price, size, symbol }) => (
        <Amount value={multiply(price, size)} unit={symbol.split('-')[1]} />
      ),
    },
    {
      key: 'fee',
      label: t('orders.fee'),
      isNumber: true,
      isExtra: true,
      cell: ({ fee, fee_coin }) => <Amount value={fee} unit={fee_coin} />,
    },
  ];
  const role: Column<UserTrade> = {
    key: 'role',
    label: t('orders.role'),
    isExtra: true,
    cell: (fill) => {
      const liquidity = rates === undefined ? undefined : liquidityOf(fill, rates);
      return liquidity === undefined ? '–' : t(`orders.${liquidity}`);
    },
  };
  return (
    <Table
      caption={caption}
      columns={rates === undefined ? columns : [...columns, role]}
      rows={rows}
      keyOf={(fill) => `${fill.order_id}${fill.timestamp}${fill.price}${fill.size}`}
    />
  );
}
