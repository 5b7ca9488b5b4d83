// All alarms of the exchange, as pure functions of the facts. Each has a runbook with its name in
// docs/operating/runbooks. A missing fact raises an alarm: nothing is healthy by default.

import { type AlarmDefinition, SECOND_MS, spanText } from './alarm-definition.ts';
import { CHAIN_ALARMS } from './chain-alarms.ts';
import type { Alarm, HealthFacts, Severity } from './health-facts.ts';
import { LOG_ALARMS } from './log-alarms.ts';
import { MONEY_ALARMS } from './money-alarms.ts';
import { PROCESS_ALARMS } from './process-alarms.ts';
import { STORAGE_ALARMS } from './storage-alarms.ts';

const DEFINITIONS: readonly AlarmDefinition[] = [
  ...LOG_ALARMS,
  ...MONEY_ALARMS,
  ...CHAIN_ALARMS,
  ...PROCESS_ALARMS,
  ...STORAGE_ALARMS,
];

/** The monitor reports every second; three reports in a row are missing. */
const MONITOR_SILENT_MS = 4 * SECOND_MS;
/** Raised by gateways, because a monitor cannot report its own outage. */
const MONITOR_SILENT = 'MonitorSilent';

/** All names, with the lowest severity of each. */
export const ALARM_SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  [MONITOR_SILENT, 'page' as const],
  ...DEFINITIONS.map(({ name, severity }) => [name, severity] as const),
]);

/** Returns the open alarms: pages first, otherwise in the order of the definitions. */
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
  /** Since the monitor's last report, or since the gateway's start. */
  readonly silentMs: number;
  readonly isBusUp: boolean;
  readonly isDatabaseUp: boolean;
}

/** Alarms that a gateway shows instead of the monitor's; none while the monitor reports. */
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

/** For example, `NoLeader` has the runbook `no-leader`. */
export function runbookOf(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}
