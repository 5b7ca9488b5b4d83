// `rialto status`: open alarms, then the state behind them, and the control mode for roles that can
// read it.

import { RialtoError } from '../../client/rialto-error.ts';
import type { Control, ExchangeHealth } from '../../protocol/index.ts';
import { tableLines } from '../text-table.ts';
import type { Api } from './profile.ts';
import { ageText, paint, type Terminal, withProgress } from './terminal.ts';

/** Returns 1 if an alarm pages an operator, otherwise 0. */
export async function showStatus(api: Api, terminal: Terminal): Promise<number> {
  const waiting = Promise.all([api.call('getExchangeHealth', {}), readControl(api)]);
  const [answer, control] = await withProgress(terminal, 'Fetching health', waiting);
  const health = answer as ExchangeHealth;
  if (terminal.isJson) terminal.print(JSON.stringify({ ...health, control }, null, 2));
  else for (const line of statusLines(health, control, terminal)) terminal.print(line);
  return health.status === 'page' ? 1 : 0;
}

/** Returns null for a role without the permission. */
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

const RESULT = {
  well: ['green', 'All systems operational.'],
  ticket: ['yellow', 'Operational, but needs attention (not urgent).'],
  page: ['red', 'Immediate action required.'],
} as const;

function statusLines(
  health: ExchangeHealth,
  control: Control | null,
  terminal: Terminal,
): readonly string[] {
  const [color, result] = RESULT[health.status];
  const { alarms, leaders, processes, queues } = health;
  return [
    paint(terminal, color, result),
    ...(control === null ? [] : [controlLine(control)]),
    ...section(terminal, `Alarms (${alarms.length} open)`, [
      ...alarms.map(({ age_ms, detail, name, object, runbook, severity }) => {
        const what = object === '' ? name : `${name} ${object}`;
        const line = `${severity.padEnd(6)}  ${what}: ${detail} (for ${ageText(age_ms)})`;
        const page = paint(
          terminal,
          'dim',
          `          runbook: docs/operating/runbooks/${runbook}`,
        );
        return `${paint(terminal, severity === 'page' ? 'red' : 'yellow', line)}\n${page}`;
      }),
    ]),
    ...section(
      terminal,
      'Leader',
      leaders.length === 0
        ? [paint(terminal, 'red', 'no leader: orders are not accepted')]
        : leaders.map(
            ({ acknowledged_ms, epoch, frame, instance }) =>
              `${instance}, frame ${frame}, epoch ${epoch}, ` +
              `last acknowledgment ${ageText(acknowledged_ms)} ago`,
          ),
    ),
    ...section(terminal, 'Processes', processLines(processes, terminal)),
    ...section(
      terminal,
      'Queues',
      tableLines(
        [{ title: 'queue' }, { title: 'pending', isNumber: true }, { title: 'oldest' }],
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
    ['process', 'state', 'version', 'commit', 'host', 'last heartbeat'].map((title) => ({ title })),
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
