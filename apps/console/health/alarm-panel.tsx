// Overall status in one line, never better than the report allows, and the open alarms.

import { CircleCheck, CircleHelp, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { HealthAlarm } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import { Panel } from '../../ui/index.ts';
import { useLook, useNames } from '../use-words.ts';
import { type Overall, overallOf, sortedAlarms } from './health-view.ts';
import { RunbookButton } from './runbook-button.tsx';
import { type ShownHealth, useDuration } from './use-health.ts';

const LOOKS: Readonly<Record<Overall, { icon: ReactNode; color: string; edge: string }>> = {
  well: { icon: <CircleCheck size={28} />, color: 'text-up', edge: 'border-s-up' },
  ticket: { icon: <TriangleAlert size={28} />, color: 'text-warn', edge: 'border-s-warn' },
  page: { icon: <OctagonAlert size={28} />, color: 'text-down', edge: 'border-s-down' },
  unknown: { icon: <CircleHelp size={28} />, color: 'text-warn', edge: 'border-s-warn' },
};

export function OverallLine({ after, shown }: { shown: ShownHealth; after?: ReactNode }) {
  const { t } = useLook();
  const overall = overallOf(shown);
  const { color, edge, icon } = LOOKS[overall];
  return (
    <div
      role="status"
      data-overall={overall}
      className={`flex items-center gap-3 rounded border-s-4 bg-panel px-3 py-3 ${edge}`}
    >
      <span aria-hidden="true" className={color}>
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-title font-semibold">{t(`health.${overall}`)}</p>
        <FreshnessText shown={shown} />
      </div>
      {after}
    </div>
  );
}

function FreshnessText({ shown: { freshness, health, nowMs } }: { shown: ShownHealth }) {
  const { t, time } = useLook();
  const duration = useDuration();
  if (freshness.kind === 'waiting') return <p className="text-quiet">{t('health.asking')}</p>;
  if (freshness.kind === 'fresh') {
    const made = health?.made_at ?? null;
    return made === null ? null : (
      <p className="text-quiet">{t('console.updated', { time: time(made) })}</p>
    );
  }
  const age = duration(nowMs - freshness.sinceMs);
  return <p className="text-warn">{t(`health.${freshness.kind}`, { age })}</p>;
}

export function AlarmPanel({ shown }: { shown: ShownHealth }) {
  const { t } = useLook();
  const { freshness, health, refetch, state } = shown;
  const alarms = sortedAlarms(health?.alarms ?? []);
  // The gateway itself raises the alarm for a missing monitor, so it is current even then.
  const isPresent = freshness.kind === 'fresh' || freshness.kind === 'silent';
  return (
    <Panel
      title={t('health.alarms')}
      state={isPresent ? { kind: 'ready' } : state}
      onRetry={refetch}
      skeletonRows={2}
      after={alarms.length > 0 && <span className="text-label text-quiet">{alarms.length}</span>}
    >
      {alarms.length === 0 ? (
        <p className="px-2 py-3 text-body text-quiet">
          {freshness.kind === 'fresh' ? t('health.noAlarms') : t('health.unknown')}
        </p>
      ) : (
        <ul>
          {alarms.map((alarm) => (
            <AlarmRow key={`${alarm.name} ${alarm.object}`} alarm={alarm} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function AlarmRow({ alarm }: { alarm: HealthAlarm }) {
  const { t } = useLook();
  const nameOf = useNames();
  const duration = useDuration();
  const isPage = alarm.severity === 'page';
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line px-2 py-2 text-body last:border-b-0">
      <Chip color={isPage ? 'text-down' : 'text-warn'}>
        {t(isPage ? 'health.severityPage' : 'health.severityTicket')}
      </Chip>
      <strong className="font-semibold">{nameOf('alarm', alarm.name)}</strong>
      <bdi dir="ltr" className="text-label text-quiet">
        {alarm.name}
      </bdi>
      {alarm.object !== '' && (
        <bdi dir="ltr" className="text-quiet">
          {alarm.object}
        </bdi>
      )}
      {/* Details and runbooks are in English, because operators search for them. */}
      <span lang="en" dir="ltr" className="min-w-48 flex-1 text-start">
        {alarm.detail}
      </span>
      <span className="whitespace-nowrap text-quiet">
        {t('health.for', { age: duration(alarm.age_ms) })}
      </span>
      <RunbookButton alarm={alarm.name} page={alarm.runbook} />
    </li>
  );
}
