// Open orders: amended in their row, canceled with one click, or all together after a confirmation.
// The switch cancels them if the connection is lost.

import { useQuery } from '@tanstack/react-query';
import { Check, Pencil, Undo2, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { divide, isZero } from '../../decimals/index.ts';
import {
  Amount,
  Button,
  type Column,
  Dialog,
  showToast,
  Table,
  Toggle,
  useCell,
  useLook,
} from '../../ui/index.ts';
import type { AccountOrder } from '../account-state.ts';
import { constantsQuery } from '../exchange.ts';
import { setProtection } from '../protection.ts';
import { useSession } from '../session.tsx';
import { amendProblem, changeOf, type Edit } from './amend-rules.ts';
import { KindWord, OrderPrice, PairText, Scroll, SideWord } from './order-cells.tsx';
import type { Problem } from './order-draft.ts';
import { useMarketScales } from './use-market-scales.ts';
import type { OrderActs } from './use-order-acts.ts';

export function OpenOrders({
  acts,
  orders,
  symbol,
}: {
  acts: OrderActs;
  orders: readonly AccountOrder[];
  symbol: string;
}) {
  const { t, time } = useLook();
  const [edit, setEdit] = useState<Edit>();
  const scaleOf = useMarketScales();
  const problem = useAmendProblem(edit, orders);
  const save = async (order: AccountOrder) => {
    if (edit === undefined || problem !== undefined) return;
    const change = changeOf(edit, order);
    if (change === undefined || (await acts.amend(order.id, change))) setEdit(undefined);
  };
  const input = (order: AccountOrder, field: 'price' | 'size') => (
    <input
      aria-label={t(`trade.${field}`)}
      aria-invalid={problem?.field === (field === 'price' ? 'price' : 'amount')}
      aria-describedby={PROBLEM_ID}
      inputMode="decimal"
      dir="ltr"
      value={edit?.[field] ?? ''}
      onChange={({ target }) => setEdit((now) => now && { ...now, [field]: target.value.trim() })}
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key === 'Enter') void save(order);
        if (key === 'Escape') setEdit(undefined);
      }}
      className="h-6 w-24 rounded border border-edge bg-raised px-1 text-end aria-invalid:border-down"
    />
  );
  const price = (order: AccountOrder) => (
    <OrderPrice order={order} scale={scaleOf(order.symbol).price} />
  );
  const size = (order: AccountOrder) => (
    <Amount value={order.size} scale={scaleOf(order.symbol).size} />
  );
  const isEdited = ({ id }: AccountOrder) => edit?.id === id;
  const columns: Column<AccountOrder>[] = [
    {
      key: 'time',
      label: t('trade.time'),
      isExtra: true,
      cell: (order) => time(order.created_at, 'short'),
    },
    { key: 'pair', label: t('shell.pair'), cell: (order) => <PairText symbol={order.symbol} /> },
    {
      key: 'side',
      label: t('trade.side'),
      cell: (order) => (
        <>
          <SideWord side={order.side} />
          <span className="block text-label text-quiet md:hidden">
            <KindWord order={order} />
          </span>
        </>
      ),
    },
    {
      key: 'type',
      label: t('trade.orderType'),
      isExtra: true,
      cell: (order) => <KindWord order={order} />,
    },
    {
      key: 'price',
      label: t('trade.price'),
      isNumber: true,
      cell: (order) => (isEdited(order) ? input(order, 'price') : price(order)),
    },
    {
      key: 'size',
      label: t('trade.size'),
      isNumber: true,
      cell: (order) => (isEdited(order) ? input(order, 'size') : size(order)),
    },
    {
      key: 'filled',
      label: t('trade.filled'),
      isNumber: true,
      isExtra: true,
      cell: (order) => <FilledBar order={order} scale={scaleOf(order.symbol).size} />,
    },
    {
      key: 'acts',
      label: <span className="sr-only">{t('trade.acts')}</span>,
      isNumber: true,
      cell: (order) => (
        <RowActs
          order={order}
          isEdited={isEdited(order)}
          canSave={problem === undefined}
          onEdit={() => setEdit({ id: order.id, price: order.price ?? '', size: order.size })}
          onSave={() => void save(order)}
          onLeave={() => setEdit(undefined)}
          onCancel={() => void acts.cancel(order.id)}
        />
      ),
    },
  ];
  return (
    <>
      {orders.length === 0 ? (
        <p className="flex flex-1 items-center justify-center p-4 text-quiet">
          {t('trade.noOrders')}
        </p>
      ) : (
        <Scroll label={t('trade.openOrders')}>
          <Table
            caption={t('trade.openOrders')}
            columns={columns}
            rows={orders}
            keyOf={({ id }) => id}
          />
        </Scroll>
      )}
      <p
        id={PROBLEM_ID}
        role="status"
        className={problem === undefined ? 'sr-only' : 'flex-none px-2 py-1 text-label text-down'}
      >
        {problem !== undefined && (
          <>
            {t(problem.field === 'price' ? 'trade.price' : 'trade.size')}:{' '}
            {t(problem.word, problem.values)}
          </>
        )}
      </p>
      <Footer acts={acts} orders={orders} symbol={symbol} />
    </>
  );
}

const PROBLEM_ID = 'amend-problem';

/** Undefined if nothing is edited, or if the edit can be sent. */
function useAmendProblem(
  edit: Edit | undefined,
  orders: readonly AccountOrder[],
): Problem | undefined {
  const { data: constants } = useQuery(constantsQuery);
  const order = orders.find(({ id }) => id === edit?.id);
  const market = order && constants?.pairs[order.symbol];
  if (edit === undefined || order === undefined || market === undefined) return undefined;
  return amendProblem(edit, order, market);
}

function RowActs({
  canSave,
  isEdited,
  onCancel,
  onEdit,
  onLeave,
  onSave,
  order,
}: {
  order: AccountOrder;
  isEdited: boolean;
  /** False while the edit violates a market rule. */
  canSave: boolean;
  onEdit(): void;
  onSave(): void;
  onLeave(): void;
  onCancel(): void;
}) {
  const { t } = useLook();
  const name = `${order.symbol} ${order.stop ?? order.price ?? ''}`;
  // The place of the button that cancels the order stays empty, so a double click never reaches it.
  if (isEdited) {
    return (
      <span className="inline-flex pe-7">
        <Button look="quiet" size="icon" aria-label={t('trade.stopEdit')} onClick={onLeave}>
          <Undo2 size={14} aria-hidden="true" className="rtl:-scale-x-100" />
        </Button>
        <Button
          look="quiet"
          size="icon"
          disabled={!canSave}
          aria-label={`${t('shell.save')} ${name}`}
          onClick={onSave}
        >
          <Check size={14} aria-hidden="true" />
        </Button>
      </span>
    );
  }
  return (
    <span className="inline-flex">
      {order.stop === null && (
        <Button
          look="quiet"
          size="icon"
          aria-label={`${t('trade.amend')} ${name}`}
          onClick={onEdit}
        >
          <Pencil size={13} aria-hidden="true" />
        </Button>
      )}
      <Button
        look="quiet"
        size="icon"
        aria-label={`${t('trade.cancelOrder')} ${name}`}
        onClick={onCancel}
      >
        <X size={14} aria-hidden="true" />
      </Button>
    </span>
  );
}

function FilledBar({
  order: { filled, size },
  scale,
}: {
  order: AccountOrder;
  scale: number | undefined;
}) {
  const share = isZero(size) ? 0 : Number(divide(filled, size, { scale: 4 }));
  return (
    <span className="inline-flex items-center gap-2">
      <Amount value={filled} scale={scale} />
      <span aria-hidden="true" className="h-1 w-12 overflow-hidden rounded bg-raised">
        <span className="block h-1 bg-accent" style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </span>
  );
}

function Footer({
  acts,
  orders,
  symbol,
}: {
  acts: OrderActs;
  orders: readonly AccountOrder[];
  symbol: string;
}) {
  const { t, time } = useLook();
  const { protection: cell, stream } = useSession();
  const protection = useCell(cell);
  const [isAsked, setAsked] = useState(false);
  const protect = async (isOn: boolean) => {
    if (stream === undefined) return;
    try {
      await setProtection({ stream, show: (next) => cell.set(next) }, isOn);
    } catch (error) {
      showToast('refused', error instanceof Error ? error.message : String(error));
    }
  };
  const here = orders.filter((order) => order.symbol === symbol).length;
  const cancel = (one?: string) => {
    setAsked(false);
    void acts.cancelAll(one);
  };
  return (
    <footer className="flex min-h-8 flex-none flex-wrap items-center justify-between gap-2 border-t border-line px-2">
      <div className="flex flex-wrap items-center gap-x-3">
        <Toggle
          label={t('trade.protect')}
          isOn={protection?.isOn === true}
          isDisabled={protection === undefined}
          onChange={(isOn) => void protect(isOn)}
        />
        {protection?.fired !== undefined && (
          <span className="text-label text-warn">
            {t('trade.protectFired', {
              count: protection.fired.orders,
              time: time(protection.fired.at, 'short'),
            })}
          </span>
        )}
      </div>
      <Button
        look="danger"
        size="small"
        disabled={orders.length === 0}
        onClick={() => setAsked(true)}
      >
        {t('trade.cancelAll')}
      </Button>
      <Dialog title={t('trade.cancelAll')} isOpen={isAsked} onClose={() => setAsked(false)}>
        <p className="mb-4">{t('trade.cancelAllAsk', { count: orders.length })}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => setAsked(false)}>{t('trade.keep')}</Button>
          {here > 0 && here < orders.length && (
            <Button look="danger" onClick={() => cancel(symbol)}>
              {t('trade.cancelHere', { count: here, pair: symbol.toUpperCase() })}
            </Button>
          )}
          <Button look="danger" data-confirm onClick={() => cancel()}>
            {t('trade.cancelCount', { count: orders.length })}
          </Button>
        </div>
      </Dialog>
    </footer>
  );
}
