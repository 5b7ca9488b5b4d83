// Open orders: amended in their row, cancelled with one press, all at once after a question, and
// protected by the switch that cancels them when the connection is lost.

import { Check, Pencil, X } from 'lucide-react';
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
  useLook,
} from '../../ui/index.ts';
import type { AccountOrder } from '../account-state.ts';
import { useSession } from '../session.tsx';
import { PairText, Scroll, SideWord } from './order-cells.tsx';
import type { OrderActs } from './use-order-acts.ts';

/** The exchange cancels after this many seconds without a connection. */
const PROTECTION_S = 10;

interface Edit {
  readonly id: string;
  readonly price: string;
  readonly size: string;
}

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
  const save = async (order: AccountOrder) => {
    if (edit === undefined) return;
    const change = {
      ...(edit.price !== order.price && { price: edit.price }),
      ...(edit.size !== order.size && { size: edit.size }),
    };
    if (Object.keys(change).length === 0 || (await acts.amend(order.id, change)))
      setEdit(undefined);
  };
  const input = (order: AccountOrder, field: 'price' | 'size') => (
    <input
      aria-label={t(`trade.${field}`)}
      inputMode="decimal"
      dir="ltr"
      value={edit?.[field] ?? ''}
      onChange={({ target }) => setEdit((now) => now && { ...now, [field]: target.value })}
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key === 'Enter') void save(order);
        if (key === 'Escape') setEdit(undefined);
      }}
      className="h-6 w-24 rounded border border-edge bg-raised px-1 text-end"
    />
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
    { key: 'side', label: t('trade.side'), cell: ({ side }) => <SideWord side={side} /> },
    {
      key: 'type',
      label: t('trade.orderType'),
      isExtra: true,
      cell: ({ stop, type }) =>
        t(`trade.kind.${stop === null ? type : type === 'limit' ? 'stop-limit' : 'stop'}`),
    },
    {
      key: 'price',
      label: t('trade.price'),
      isNumber: true,
      cell: (order) => (isEdited(order) ? input(order, 'price') : <Price order={order} />),
    },
    {
      key: 'size',
      label: t('trade.size'),
      isNumber: true,
      cell: (order) => (isEdited(order) ? input(order, 'size') : <Amount value={order.size} />),
    },
    {
      key: 'filled',
      label: t('trade.filled'),
      isNumber: true,
      isExtra: true,
      cell: (order) => <FilledBar order={order} />,
    },
    {
      key: 'acts',
      label: <span className="sr-only">{t('trade.acts')}</span>,
      isNumber: true,
      cell: (order) => (
        <RowActs
          order={order}
          isEdited={isEdited(order)}
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
      <Footer acts={acts} orders={orders} symbol={symbol} />
    </>
  );
}

function RowActs({
  isEdited,
  onCancel,
  onEdit,
  onLeave,
  onSave,
  order,
}: {
  order: AccountOrder;
  isEdited: boolean;
  onEdit(): void;
  onSave(): void;
  onLeave(): void;
  onCancel(): void;
}) {
  const { t } = useLook();
  const name = `${order.symbol} ${order.stop ?? order.price ?? ''}`;
  if (isEdited) {
    return (
      <span className="inline-flex">
        <Button look="quiet" size="icon" aria-label={`${t('shell.save')} ${name}`} onClick={onSave}>
          <Check size={14} aria-hidden="true" />
        </Button>
        <Button look="quiet" size="icon" aria-label={t('shell.cancel')} onClick={onLeave}>
          <X size={14} aria-hidden="true" />
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

/** A stop has its stop price, and after it the limit if there is one. */
function Price({ order: { price, stop, type } }: { order: AccountOrder }) {
  if (stop === null) return <Amount value={price} />;
  if (type !== 'limit') return <Amount value={stop} />;
  return (
    <bdi dir="ltr">
      <Amount value={stop} /> → <Amount value={price} />
    </bdi>
  );
}

function FilledBar({ order: { filled, size } }: { order: AccountOrder }) {
  const share = isZero(size) ? 0 : Number(divide(filled, size, { scale: 4 }));
  return (
    <span className="inline-flex items-center gap-2">
      <Amount value={filled} />
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
  const { t } = useLook();
  const { stream } = useSession();
  const [isProtected, setProtected] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const protect = async (isOn: boolean) => {
    try {
      await stream?.cancelOnDisconnect(isOn ? PROTECTION_S : 0);
      setProtected(isOn);
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
      <Toggle
        label={t('trade.protect', { seconds: PROTECTION_S })}
        isOn={isProtected}
        onChange={(isOn) => void protect(isOn)}
      />
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
