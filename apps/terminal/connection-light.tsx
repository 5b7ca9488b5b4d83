// Connection indicator: whether the shown data is live, and the latency.

import { useCell, useLook, type Word } from '../ui/index.ts';
import { type Connection, useSession } from './session.tsx';

const WORDS: Readonly<Record<Connection['status'], Word>> = {
  idle: 'live.connecting',
  connecting: 'live.connecting',
  open: 'live.live',
  waiting: 'live.lost',
  failed: 'live.failed',
  closed: 'live.lost',
};

export function ConnectionLight() {
  const { t } = useLook();
  const { latencyMs, status } = useCell(useSession().connection);
  const isLive = status === 'open';
  const isLost = status === 'waiting' || status === 'failed';
  const color = isLive ? 'text-up' : isLost ? 'text-down' : 'text-warn';
  return (
    <div
      role="status"
      data-connection={status}
      className="flex items-center gap-1.5 px-2 text-label whitespace-nowrap text-quiet"
    >
      <span aria-hidden="true" className={color}>
        {isLive ? '●' : isLost ? '■' : '◌'}
      </span>
      <span className="max-sm:sr-only">{t(WORDS[status])}</span>
      {isLive && latencyMs !== undefined && (
        <bdi dir="ltr" aria-hidden="true">
          {t('live.latency', { ms: latencyMs })}
        </bdi>
      )}
    </div>
  );
}
