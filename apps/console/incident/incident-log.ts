// An incident: a checklist of runbook steps, and a timeline of everything that happened. The
// operator's browser stores it; the exported text is the record.

import { plainText, tokensOf } from '../health/markdown.ts';

export interface IncidentEntry {
  readonly atMs: number;
  readonly kind: 'begun' | 'step' | 'undone' | 'note' | 'alarm' | 'cleared' | 'banner' | 'ended';
  readonly text: string;
}

export interface Incident {
  readonly title: string;
  /** Runbook name, such as `no-leader`. */
  readonly playbook: string;
  readonly beganAtMs: number;
  readonly endedAtMs: number | null;
  /** Indexes of the checked steps. */
  readonly done: readonly number[];
  readonly entries: readonly IncidentEntry[];
}

export interface PlaybookStep {
  readonly section: string;
  readonly text: string;
}

const SECTIONS = ['First two minutes', 'Repair', 'Afterwards'];

/** Returns list items and paragraphs from the sections with operator actions. */
export function stepsOf(markdown: string): PlaybookStep[] {
  const steps: PlaybookStep[] = [];
  let section = '';
  for (const block of tokensOf(markdown)) {
    if (block.type === 'heading') section = plainText(block);
    else if (SECTIONS.includes(section)) {
      const parts = block.type === 'list' ? block.items : block.type === 'paragraph' ? [block] : [];
      for (const part of parts) steps.push({ section, text: plainText(part) });
    }
  }
  return steps;
}

export function begin(title: string, playbook: string, atMs: number): Incident {
  const entries = [{ atMs, kind: 'begun' as const, text: `${title} (${playbook})` }];
  return { title, playbook, beganAtMs: atMs, endedAtMs: null, done: [], entries };
}

export function noted(incident: Incident, entry: IncidentEntry): Incident {
  const entries = [...incident.entries, entry];
  const endedAtMs = entry.kind === 'ended' ? entry.atMs : incident.endedAtMs;
  return { ...incident, entries, endedAtMs };
}

export function ticked(
  incident: Incident,
  { atMs, number, text }: { number: number; text: string; atMs: number },
): Incident {
  const isDone = incident.done.includes(number);
  const done = isDone ? incident.done.filter((one) => one !== number) : [...incident.done, number];
  return noted({ ...incident, done }, { atMs, kind: isDone ? 'undone' : 'step', text });
}

/** Returns entries for alarms that opened or cleared since the last report. */
export function alarmEntries(
  before: readonly string[],
  now: readonly string[],
  atMs: number,
): IncidentEntry[] {
  return [
    ...now
      .filter((one) => !before.includes(one))
      .map((text) => ({ atMs, kind: 'alarm' as const, text })),
    ...before
      .filter((one) => !now.includes(one))
      .map((text) => ({ atMs, kind: 'cleared' as const, text })),
  ];
}

/** Formats as `1:02:03`, or `02:03` within the first hour. */
export function timerText(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  const two = (count: number) => String(count).padStart(2, '0');
  const rest = `${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  return s < 3_600 ? rest : `${Math.floor(s / 3_600)}:${rest}`;
}

/** Formats the record, one line per entry, with times in UTC. */
export function exported(incident: Incident): string {
  const lines = incident.entries.map(({ atMs, kind, text }) => {
    const after = timerText(atMs - incident.beganAtMs);
    return `${new Date(atMs).toISOString()}\t+${after}\t${kind}\t${text.replaceAll(/\s+/g, ' ')}`;
  });
  return `${lines.join('\n')}\n`;
}

/** Reads browser storage; returns undefined if the text is not an incident. */
export function readIncident(text: string | null): Incident | undefined {
  if (text === null) return undefined;
  try {
    const read = JSON.parse(text) as Incident;
    return Array.isArray(read.entries) && typeof read.beganAtMs === 'number' ? read : undefined;
  } catch {
    return undefined;
  }
}
