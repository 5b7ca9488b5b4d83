// `rialto status`: is the exchange well? Open alarms first, then the facts behind them.

import type { ExchangeHealth } from '../../protocol/index.ts';
import { tableLines } from '../text-table.ts';
import type { Api } from './profile.ts';
import { ageText, paint, type Terminal, withProgress } from './terminal.ts';

/** 0 if all is well or a ticket can wait; 1 if somebody must act now. */
export async function showStatus(api: Api, terminal: Terminal): Promise<number> {
  const waiting = api.call('getExchangeHealth', {});
  const health = (await withProgress(terminal, 'asking for health', waiting)) as ExchangeHealth;
  if (terminal.isJson) terminal.print(JSON.stringify(health, null, 2));
  else for (const line of statusLines(health, terminal)) terminal.print(line);
  return health.status === 'page' ? 1 : 0;
}

const VERDICT = {
  well: ['green', 'The exchange is well.'],
  ticket: ['yellow', 'The exchange works; something needs attention, not at once.'],
  page: ['red', 'Act now: something is broken.'],
} as const;

function statusLines(health: ExchangeHealth, terminal: Terminal): readonly string[] {
  const [colour, verdict] = VERDICT[health.status];
  const { alarms, leaders, processes, queues } = health;
  return [
    paint(terminal, colour, verdict),
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
