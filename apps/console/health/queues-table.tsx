// Queues and the age of their oldest entries.

import type { HealthQueue } from '../../../client/index.ts';
import { Amount, type Column, Table } from '../../ui/index.ts';
import { useLook, useNames } from '../use-words.ts';
import { sortedQueues } from './health-view.ts';
import { useDuration } from './use-health.ts';

export function QueuesTable({ queues }: { queues: readonly HealthQueue[] }) {
  const { t } = useLook();
  const nameOf = useNames();
  const duration = useDuration();
  const columns: Column<HealthQueue>[] = [
    { key: 'name', label: t('health.queue'), cell: ({ name }) => nameOf('queue', name) },
    {
      key: 'waiting',
      label: t('health.waiting'),
      isNumber: true,
      cell: ({ waiting }) => <Amount value={String(waiting)} />,
    },
    {
      key: 'oldest',
      label: t('health.oldest'),
      isNumber: true,
      cell: ({ oldest_ms: ms, waiting }) => (waiting === 0 ? '–' : duration(ms)),
    },
  ];
  return (
    <Table
      caption={t('health.queues')}
      columns={columns}
      rows={sortedQueues([...queues])}
      keyOf={({ name }) => name}
    />
  );
}
