// Tables with the measurements of an exchange, for documents.

import { ToolFault } from '../../command-line.ts';
import type { LayoutFigures, RateFigures } from './measure-layout.ts';

export interface Machine {
  readonly command: string;
  readonly day: string;
  readonly commit: string;
  readonly cores: number;
  readonly model: string;
  readonly node: string;
  /** Load average over a minute before the measurement. */
  readonly load: number;
}

export interface Measured {
  readonly machine: Machine;
  readonly few: LayoutFigures;
  readonly split: LayoutFigures;
}

const BEGIN = '<!-- `npm run bench -- sizing --write` writes these tables -->';
const END = '<!-- end of the written tables -->';
const DAY_S = 86_400;

/** Replaces the text between the two marks. */
export function withTables(text: string, tables: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new ToolFault(`Expected '${BEGIN}' and '${END}'.`);
  return `${text.slice(0, begin)}${BEGIN}\n\n${tables}\n\n${text.slice(end)}`;
}

export function pageTables({ few, machine, split }: Measured): string {
  return [
    describe(machine, few, split),
    '### Memory and start',
    'Memory is proportional: pages that several processes share are counted once. `ready` is the ' +
      'time from starting all processes together to the readiness of the last one.',
    processTable(few, 'few processes'),
    processTable(split, 'one process per service'),
    '### Cost per order',
    'Microseconds of processor time per signed order over HTTP, of all processes; about every ' +
      'second order trades. The last row is what 64 clients reach that each wait for a response. ' +
      'At low rates, most of it is the cost of an idle exchange.',
    costTable(few),
    costTable(split),
    '### Disk per order',
    'The log is what one NATS server writes, and grows until it is trimmed. WAL is what ' +
      'PostgreSQL writes, and tables what it keeps.',
    diskTable(split),
  ].join('\n\n');
}

export function readmeTable({ few, machine, split }: Measured): string {
  const [at10, at100, at500, at2000, saturated] = few.rates;
  const cost = ({ rates }: LayoutFigures) => rates.map(({ totalUs }) => number(totalUs));
  const costs = (layout: LayoutFigures) => cost(layout).slice(0, 4).join(', ');
  const latency = ({ p50Ms, p99Ms }: RateFigures) => `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;
  const fewTotal = totalOf(few);
  const splitTotal = totalOf(split);
  return [
    describe(machine, few, split),
    table([
      ['Test', 'Few processes', 'One process per service'],
      [
        'Signed orders over HTTP, acknowledged after the log has stored them; 64 clients',
        `${number(saturated.perSecond)}/s, ${latency(saturated)}`,
        `${number(split.rates[4].perSecond)}/s, ${latency(split.rates[4])}`,
      ],
      ...[at10, at100, at500, at2000].map((rate, at) => [
        `Acknowledgment at ${number(rate.offered ?? 0)} orders/s`,
        latency(rate),
        latency(split.rates[at]),
      ]),
      [
        'Processor time per order at 10, 100, 500 and 2,000 orders/s, servers included',
        `${costs(few)} µs`,
        `${costs(split)} µs`,
      ],
      [
        'Memory of all services, without NATS and PostgreSQL',
        `${number(fewTotal.idleMb)} MB`,
        `${number(splitTotal.idleMb)} MB`,
      ],
      ['Start of all services', `${few.readyS} s`, `${split.readyS} s`],
    ]),
  ].join('\n\n');
}

function describe(machine: Machine, few: LayoutFigures, split: LayoutFigures): string {
  const { command, commit, cores, day, load, model, node } = machine;
  return (
    `Measured on ${day} with \`${command}\` at commit ${commit.slice(0, 8)}, ` +
    `Node ${node.slice(1)}: one NATS server, PostgreSQL, all services and the load generator on ` +
    `${cores} cores (${model}). Load average before: ${load}. Other programs used ` +
    `${few.otherPercent}% of the cores (few processes) and ${split.otherPercent}% ` +
    '(one process per service).'
  );
}

const SERVERS = ['nats', 'postgres'];

function totalOf({ processes }: LayoutFigures) {
  const own = processes.filter(({ name }) => !SERVERS.includes(name));
  const sum = (pick: (one: (typeof own)[number]) => number) =>
    own.reduce((total, one) => total + pick(one), 0);
  return {
    name: 'all services',
    idleMb: sum((one) => one.idleMb),
    loadedMb: sum((one) => one.loadedMb),
    startCpuS: sum((one) => one.startCpuS),
    idlePercent: sum((one) => one.idlePercent),
    wakeupsPerSecond: sum((one) => one.wakeupsPerSecond),
  };
}

function processTable(figures: LayoutFigures, title: string): string {
  const rows = [...figures.processes, totalOf(figures)].map((one) => [
    one.name,
    number(one.idleMb),
    number(one.loadedMb),
    one.startCpuS.toFixed(1),
    one.idlePercent.toFixed(1),
    number(one.wakeupsPerSecond),
  ]);
  return table([
    [
      `${title[0].toUpperCase()}${title.slice(1)}, ready in ${figures.readyS} s`,
      'Idle, MB',
      'After load, MB',
      'Start, s of a core',
      'Idle, % of a core',
      'Wake-ups/s',
    ],
    ...rows,
  ]);
}

function costTable({ rates }: LayoutFigures): string {
  const names = Object.keys(rates[0].usPerOrder);
  return table([
    ['Orders/s', 'p50', 'p99', 'Total, µs', ...names],
    ...rates.map(({ offered, p50Ms, p99Ms, perSecond, totalUs, usPerOrder }) => [
      number(perSecond) + (offered === undefined ? ' (64 clients)' : ''),
      ms(p50Ms),
      ms(p99Ms),
      number(totalUs),
      ...names.map((name) => number(usPerOrder[name])),
    ]),
  ]);
}

function diskTable({ rates }: LayoutFigures): string {
  const perDay = (bytes: number, rate: number) => `${((bytes * rate * DAY_S) / 1e9).toFixed(1)} GB`;
  return table([
    ['Orders/s', 'Log, bytes', 'WAL, bytes', 'Tables, bytes', 'Log/day', 'WAL/day', 'Tables/day'],
    ...rates
      .filter(({ offered }) => offered !== undefined)
      .map(({ logBytes, perSecond, tableBytes, walBytes }) => [
        number(perSecond),
        number(logBytes),
        number(walBytes),
        number(tableBytes),
        perDay(logBytes, perSecond),
        perDay(walBytes, perSecond),
        perDay(tableBytes, perSecond),
      ]),
  ]);
}

function table([head, ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
