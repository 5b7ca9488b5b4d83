// Bell with the latest announcements and order notices, and a mark while some are new.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem, useCell, useLook } from '../ui/index.ts';
import { announcementsQuery } from './exchange.ts';
import { orderNotices, readSeen, writeSeen } from './kept-notices.ts';
import { mergedNotices } from './notice-history.ts';

export function NotificationBell() {
  const { number, t, time } = useLook();
  const { data: announcements = [] } = useQuery(announcementsQuery);
  const notices = mergedNotices(useCell(orderNotices), announcements);
  const [seen, setSeen] = useState(readSeen);
  const count = notices.filter(({ at }) => at > seen).length;
  const see = () => {
    const newest = notices[0]?.at;
    if (newest === undefined) return;
    writeSeen(newest);
    setSeen(newest);
  };
  return (
    <Menu
      label={count === 0 ? t('bell.label') : t('bell.unread', { count: number(`${count}`) })}
      onOpen={see}
      trigger={
        <span className="relative">
          <Bell size={16} aria-hidden="true" />
          {count > 0 && (
            <span
              aria-hidden="true"
              className="absolute -inset-e-1 -top-1 size-2 rounded-full bg-accent forced-colors:border"
            />
          )}
        </span>
      }
    >
      {notices.length === 0 && (
        <p className="max-w-72 px-3 py-2 text-body text-quiet">{t('bell.none')}</p>
      )}
      {notices.map(({ about, at, id, text }) => (
        <MenuItem key={id} render={<Link to={about === 'order' ? '/orders' : '/status'} />}>
          <span className="flex max-w-72 flex-col py-1">
            <bdi>{text}</bdi>
            <span className="text-label text-quiet">{time(at, 'short')}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
