// Number of items that wait for the operator's decision in all queues, and a link to each queue.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Menu, MenuItem } from '../../ui/index.ts';
import { workQuery } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
import { useLook, useNames } from '../use-words.ts';
import { queuesFor, SCREEN_OF_QUEUE, totalOf } from './work-view.ts';

export function WorkMenu({ paths }: { paths: readonly string[] }) {
  const { t } = useLook();
  const nameOf = useNames();
  const duration = useDuration();
  const nowMs = useNow();
  const { data } = useQuery(workQuery);
  const queues = queuesFor(data?.queues ?? [], paths);
  if (queues.length === 0) return null;
  const total = totalOf(queues);
  return (
    <Menu
      label={t('work.total', { count: total })}
      trigger={
        <>
          <span className="whitespace-nowrap max-md:sr-only">{t('console.toDecide')}</span>{' '}
          <span
            className={`min-w-5 rounded px-1 text-center ${total > 0 ? 'bg-accent font-semibold text-on-fill' : 'bg-raised text-quiet'}`}
          >
            {total}
          </span>
        </>
      }
    >
      {queues.map(({ name, oldest_at: since, waiting }) => (
        <MenuItem key={name} render={<QueueLink name={name} />}>
          <span className="flex-1">{nameOf('work', name)}</span>
          {since !== null && (
            <span className="text-label text-quiet">
              {duration(Math.max(0, nowMs - Date.parse(since)))}
            </span>
          )}
          <span className={`min-w-6 text-end ${waiting > 0 ? 'font-semibold' : 'text-quiet'}`}>
            {waiting}
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}

function QueueLink({ name, ...rest }: { name: keyof typeof SCREEN_OF_QUEUE }) {
  const { path, search } = SCREEN_OF_QUEUE[name];
  return <Link to={path} search={search as never} {...rest} />;
}
