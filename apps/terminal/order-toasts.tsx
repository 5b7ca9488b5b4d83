// Announces filled and canceled orders on every screen, as the user has chosen.

import { useEffect, useRef } from 'react';
import { trimmed } from '../decimals/index.ts';
import { marketName, showToast, useCell, useLook } from '../ui/index.ts';
import { keepNotice, openNotices } from './kept-notices.ts';
import { noticesBetween, type OrderNotice, readNotices } from './order-notices.ts';
import { useSession } from './session.tsx';

export function OrderToasts() {
  const { number, t } = useLook();
  const { account: cell, user } = useSession();
  const account = useCell(cell);
  const before = useRef(account);
  const id = user?.id ?? 0;
  useEffect(() => openNotices(id), [id]);
  useEffect(() => {
    const wanted = readNotices(user?.settings.notification);
    const textOf = ({ kind, order }: OrderNotice) =>
      t(`notice.${kind}`, {
        side: t(`trade.${order.side}`),
        size: number(trimmed(order.size)),
        filled: number(trimmed(order.filled)),
        price: number(trimmed(order.average)),
        pair: marketName(order.symbol),
      });
    for (const notice of noticesBetween(before.current, account)) {
      if (!wanted[notice.kind]) continue;
      const [text, { order }] = [textOf(notice), notice];
      showToast('plain', text);
      const at = order.updated_at;
      keepNotice(id, {
        id: `${order.id} ${notice.kind} ${order.filled}`,
        text,
        at,
        about: 'order',
      });
    }
    before.current = account;
  }, [account, id, user, number, t]);
  return null;
}
