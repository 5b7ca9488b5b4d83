// `rialto status`: is the exchange well? Open alarms first, then the facts behind them, and the
// control mode for roles that read it.

import { RialtoError } from '../../client/rialto-error.ts';
import type { Control, ExchangeHealth } from '../../protocol/index.ts';
import { tableLines } from '../text-table.ts';
import type { Api } from './profile.ts';
import { ageText, paint, type Terminal, withProgress } from './terminal.ts';

/** 0 if all is well or a ticket can wait; 1 if somebody must act now. */
export async function showStatus(api: Api, terminal: Terminal): Promise<number> {
  const waiting = Promise.all([api.call('getExchangeHealth', {}), readControl(api)]);
  const [answer, control] = await withProgress(terminal, 'asking for health', waiting);
  const health = answer as ExchangeHealth;
  if (terminal.isJson) terminal.print(JSON.stringify({ ...health, control }, null, 2));
  else for (const line of statusLines(health, control, terminal)) terminal.print(line);
  return health.status === 'page' ? 1 : 0;
}

/** Null for a role that does not read it. */
async function readControl(api: Api): Promise<Control | null> {
  try {
    return (await api.call('getControl', {})) as Control;
  } catch (fault) {
    if (fault instanceof RialtoError && fault.status === 403) return null;
    throw fault;
  }
}

/** `Control mode: team, solo from 2026-11-19T10:00:00.000Z`. */
function controlLine({ mode, solo_from: soloFrom }: Control): string {
  return `Control mode: ${mode}${soloFrom === null ? '' : `, solo from ${soloFrom}`}`;
}

const VERDICT = {
  well: ['green', 'The exchange is well.'],
  ticket: ['yellow', 'The exchange works; something needs attention, not at once.'],
  page: ['red', 'Act now: something is broken.'],
} as const;

function statusLines(
  health: ExchangeHealth,
  control: Control | null,
  terminal: Terminal,
): readonly string[] {
  const [colour, verdict] = VERDICT[health.status];
  const { alarms, leaders, processes, queues } = health;
  return [
    paint(terminal, colour, verdict),
    ...(control === null ? [] : [controlLine(control)]),
    ...section(terminal, `Alarms (${alarms.length} open)`, [
      ...alarms.map(({ age_ms, detail, name, object, runbook, severity }) => {
        const what = object === '' ? name : `${name} ${object}`;
        const line = `${severity.padEnd(6)}  ${what}: ${detail} (since ${ageText(age_ms)})`;
        const page = paint(terminal, 'dim', `          read docs/operating/runbooks/${runbook}`);
        return `${paint(terminal, severity === 'page' ? 'red' : 'yellow', line)}\n${page}`;
      }),
    ]),
    ...section(
      terminal,
      'Leader',
      leaders.length === 0
        ? [paint(terminal, 'red', 'none: no order is accepted')]
        : leaders.map(
            ({ acknowledged_ms, epoch, frame, instance }) =>
              `${instance}, frame ${frame}, epoch ${epoch}, ` +
              `last acknowledgement ${ageText(acknowledged_ms)} ago`,
          ),
    ),
    ...section(terminal, 'Processes', processLines(processes, terminal)),
    ...section(
      terminal,
      'Queues',
      tableLines(
        [{ title: 'queue' }, { title: 'waiting', isNumber: true }, { title: 'oldest' }],
        queues.map(({ name, oldest_ms, waiting }) => [
          name,
          String(waiting),
          waiting === 0 ? '-' : ageText(oldest_ms),
        ]),
      ),
    ),
  ];
}

function processLines(
  processes: ExchangeHealth['processes'],
  terminal: Terminal,
): readonly string[] {
  const [head, ...lines] = tableLines(
    ['process', 'state', 'version', 'commit', 'host', 'heard'].map((title) => ({ title })),
    processes.map(({ commit, heard_age_ms, host, instance, ready, state, version }) => [
      instance,
      state === 'running' ? (ready ? 'ready' : 'not ready') : state,
      version,
      commit.slice(0, 8),
      host,
      `${ageText(heard_age_ms)} ago`,
    ]),
  );
  return [
    head,
    ...lines.map((line, at) => {
      const { checks, ready, state } = processes[at];
      if (state === 'running' && ready) return line;
      const failed = Object.entries(checks).filter(([, result]) => result !== true);
      const why = failed.map(([check, result]) => `${check}: ${result}`).join('; ');
      return paint(terminal, state === 'stopped' ? 'dim' : 'red', `${line}  ${why}`.trimEnd());
    }),
  ];
}

function section(terminal: Terminal, title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return ['', paint(terminal, 'bold', title), ...lines.map((line) => `  ${line}`)];
}
