// Every alarm of the exchange, as pure functions of the facts. Each has a runbook of its name in
// docs/operating/runbooks. A fact that is missing raises an alarm: nothing is healthy by default.

import { type AlarmDefinition, SECOND_MS, spanText } from './alarm-definition.ts';
import type { Alarm, HealthFacts, Severity } from './health-facts.ts';
import { LOG_ALARMS } from './log-alarms.ts';
import { MONEY_ALARMS } from './money-alarms.ts';
import { PROCESS_ALARMS } from './process-alarms.ts';
import { STORAGE_ALARMS } from './storage-alarms.ts';

const DEFINITIONS: readonly AlarmDefinition[] = [
  ...LOG_ALARMS,
  ...MONEY_ALARMS,
  ...PROCESS_ALARMS,
  ...STORAGE_ALARMS,
];

/** The monitor answers every second; three in a row are missing. */
const MONITOR_SILENT_MS = 4 * SECOND_MS;
/** Gateways raise it: a monitor cannot say that it is silent. */
const MONITOR_SILENT = 'MonitorSilent';

/** All names, and the lowest severity that each can have. */
export const ALARM_SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  [MONITOR_SILENT, 'page' as const],
  ...DEFINITIONS.map(({ name, severity }) => [name, severity] as const),
]);

/** The open alarms: pages first, otherwise in the order of the definitions. */
export function alarmsOf(facts: HealthFacts): Alarm[] {
  const all = DEFINITIONS.flatMap(({ name, rule, severity }) =>
    rule(facts).map((finding): Alarm => ({ name, severity, ...finding })),
  );
  return [
    ...all.filter(({ severity }) => severity === 'page'),
    ...all.filter(({ severity }) => severity === 'ticket'),
  ];
}

/** Facts that a gateway has without the monitor. */
export interface GatewayFacts {
  /** Since the last answer of the monitor, or since the start of the gateway. */
  readonly silentMs: number;
  readonly isBusUp: boolean;
  readonly isDatabaseUp: boolean;
}

/** The alarms that a gateway shows instead of the monitor's; none while the monitor answers. */
export function alarmsWithoutMonitor(facts: GatewayFacts): Alarm[] {
  const { isBusUp, isDatabaseUp, silentMs } = facts;
  if (silentMs < MONITOR_SILENT_MS) return [];
  const page = { object: '', severity: 'page' } as const;
  const detail = `No response from the monitor for ${spanText(silentMs)}.`;
  return [
    { ...page, name: MONITOR_SILENT, detail },
    ...(isBusUp
      ? []
      : [{ ...page, name: 'LogUnreachable', detail: "This gateway can't reach NATS." }]),
    ...(isDatabaseUp
      ? []
      : [{ ...page, name: 'DatabaseAway', detail: "This gateway can't reach PostgreSQL." }]),
  ];
}

/** `NoLeader` has the page `no-leader`. */
export function runbookOf(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}
