// Incident mode: the playbook as a checklist with a timer, the user banner, and a timeline that can
// be exported. The browser stores the incident, so a reload loses nothing.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ActForm, DownloadButton } from '../../forms/index.ts';
import { Button, Checkbox, Field, Panel, READY, Select, stateOfList } from '../../ui/index.ts';
import { AlarmPanel, OverallLine } from '../health/alarm-panel.tsx';
import { loadRunbook, runbookNames } from '../health/runbook-pages.ts';
import { type ShownHealth, useHealth, useNow } from '../health/use-health.ts';
import { BannerPanel } from '../incident/banner-panel.tsx';
import {
  alarmEntries,
  begin,
  exported,
  type Incident,
  noted,
  readIncident,
  stepsOf,
  ticked,
  timerText,
} from '../incident/incident-log.ts';
import { useLook } from '../use-words.ts';

const STORED_AS = 'rialto.incident';

function useIncident(): readonly [Incident | undefined, (next: Incident | undefined) => void] {
  const [incident, setIncident] = useState(() => readIncident(localStorage.getItem(STORED_AS)));
  const keep = (next: Incident | undefined) => {
    if (next === undefined) localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, JSON.stringify(next));
    setIncident(next);
  };
  return [incident, keep];
}

export function Screen() {
  const { t } = useLook();
  const shown = useHealth();
  const [incident, keep] = useIncident();
  useAlarmRecord(shown, incident, keep);
  const note = (kind: 'banner' | 'note', text: string) => {
    if (incident !== undefined && incident.endedAtMs === null) {
      keep(noted(incident, { atMs: Date.now(), kind, text }));
    }
  };
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.incident')}</h1>
      <OverallLine shown={shown} />
      {incident === undefined ? (
        <BeginPanel shown={shown} onBegin={keep} />
      ) : (
        <Running incident={incident} keep={keep} />
      )}
      <div className="grid gap-1 xl:grid-cols-2">
        {incident !== undefined && <Checklist incident={incident} keep={keep} />}
        <div className="flex flex-col gap-1">
          <BannerPanel onDone={(text) => note('banner', text)} />
          {incident !== undefined && (
            <Timeline incident={incident} onNote={(n) => note('note', n)} />
          )}
        </div>
      </div>
      <AlarmPanel shown={shown} />
    </div>
  );
}

/** Adds alarms that open or clear during the incident to its timeline automatically. */
function useAlarmRecord(
  { freshness, health, nowMs }: ShownHealth,
  incident: Incident | undefined,
  keep: (next: Incident) => void,
): void {
  const known = useRef<readonly string[]>(undefined);
  const alarms = health?.alarms;
  useEffect(() => {
    if (alarms === undefined || freshness.kind !== 'fresh') return;
    const now = alarms.map(({ name, object }) => `${name} ${object}`.trim());
    const entries = alarmEntries(known.current ?? now, now, nowMs);
    known.current = now;
    if (incident === undefined || incident.endedAtMs !== null || entries.length === 0) return;
    keep(entries.reduce(noted, incident));
  }, [alarms, freshness.kind, incident, keep, nowMs]);
}

function BeginPanel({ onBegin, shown }: { shown: ShownHealth; onBegin(one: Incident): void }) {
  const { t } = useLook();
  const worst = shown.health?.alarms[0];
  const [title, setTitle] = useState('');
  const [playbook, setPlaybook] = useState<string>();
  const chosen = playbook ?? worst?.runbook ?? runbookNames[0];
  return (
    <Panel title={t('incident.begin')} state={READY}>
      <ActForm className="p-3" onSubmit={() => onBegin(begin(title.trim(), chosen, Date.now()))}>
        <p className="text-body text-quiet">{t('incident.beginText')}</p>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label={t('incident.title')}
            required
            maxLength={200}
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
          <Select
            label={t('incident.playbook')}
            value={chosen}
            onValue={setPlaybook}
            choices={runbookNames.map((value) => ({ value, label: value }))}
          />
        </div>
        <Button type="submit" look="main" className="self-start">
          {t('incident.begin')}
        </Button>
      </ActForm>
    </Panel>
  );
}

interface RunningProps {
  readonly incident: Incident;
  keep(next: Incident | undefined): void;
}

function Running({ incident, keep }: RunningProps) {
  const { t, time } = useLook();
  const nowMs = useNow();
  const isOver = incident.endedAtMs !== null;
  const ms = (incident.endedAtMs ?? nowMs) - incident.beganAtMs;
  return (
    <section
      aria-label={t('incident.running')}
      className="flex flex-wrap items-center gap-4 rounded border-s-4 border-s-down bg-panel px-3 py-2"
    >
      <p role="timer" className="text-price font-semibold">
        <bdi dir="ltr">{timerText(ms)}</bdi>
      </p>
      <div className="min-w-0 flex-1">
        <p className="text-title font-semibold">
          <bdi>{incident.title}</bdi>
        </p>
        <p className="text-label text-quiet">
          {t(isOver ? 'incident.endedAt' : 'incident.since', {
            time: time(incident.endedAtMs ?? incident.beganAtMs, 'full'),
          })}
        </p>
      </div>
      <DownloadButton
        label={t('incident.export')}
        name={`incident-${new Date(incident.beganAtMs).toISOString().slice(0, 16)}.txt`}
        text={exported(incident)}
      />
      {isOver ? (
        <Button onClick={() => keep(undefined)}>{t('incident.forget')}</Button>
      ) : (
        <Button
          look="danger"
          onClick={() => keep(noted(incident, { atMs: Date.now(), kind: 'ended', text: '' }))}
        >
          {t('incident.end')}
        </Button>
      )}
    </section>
  );
}

function Checklist({ incident, keep }: RunningProps) {
  const { t } = useLook();
  const page = useQuery({
    queryKey: ['playbook', incident.playbook],
    queryFn: async () => stepsOf((await loadRunbook(incident.playbook)) ?? ''),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const steps = page.data ?? [];
  return (
    <Panel
      title={`${t('incident.playbook')}: ${incident.playbook}`}
      state={stateOfList(page, t('health.noRunbook'))}
      after={
        <span className="text-label text-quiet">
          <bdi dir="ltr">
            {incident.done.length} / {steps.length}
          </bdi>
        </span>
      }
    >
      {/* Runbooks are in English in every page language. */}
      <ol lang="en" dir="ltr" className="flex flex-col gap-1 p-2">
        {steps.map(({ section, text }, number) => (
          <li key={text}>
            {section !== steps[number - 1]?.section && (
              <h3 className="mt-1 text-label font-semibold text-quiet">{section}</h3>
            )}
            <Checkbox
              label={
                <span className={incident.done.includes(number) ? 'text-quiet line-through' : ''}>
                  {text}
                </span>
              }
              isOn={incident.done.includes(number)}
              isDisabled={incident.endedAtMs !== null}
              onChange={() => keep(ticked(incident, { number, text, atMs: Date.now() }))}
            />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Timeline({ incident, onNote }: { incident: Incident; onNote(text: string): void }) {
  const { t, time } = useLook();
  const [text, setText] = useState('');
  return (
    <Panel title={t('incident.timeline')} state={READY}>
      {incident.endedAtMs === null && (
        <ActForm
          className="p-2"
          onSubmit={() => {
            onNote(text.trim());
            setText('');
          }}
        >
          <div className="flex items-end gap-2">
            <Field
              className="flex-1"
              label={t('incident.note')}
              required
              maxLength={500}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
            <Button type="submit">{t('incident.add')}</Button>
          </div>
        </ActForm>
      )}
      <ol className="flex max-h-80 flex-col overflow-y-auto px-2 pb-2 text-body">
        {incident.entries.toReversed().map(({ atMs, kind, text: what }) => (
          <li key={`${atMs} ${kind} ${what}`} className="flex gap-2 border-b border-line py-1">
            <span className="flex-none text-quiet">{time(atMs)}</span>
            <span className="w-20 flex-none text-quiet">{t(`incident.kind.${kind}`)}</span>
            <bdi className="min-w-0 flex-1 break-words">{what}</bdi>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
