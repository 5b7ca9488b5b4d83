// Formats the result of `diff` as text.

import { type Atoms, decimalFromAtoms } from '../../core/money/index.ts';
import { type Column, countText, tableLines } from '../text-table.ts';
import type { Diff, OrderChange, Some } from './diff.ts';
import { timeText } from './moments.ts';

const ORDER_COLUMNS: readonly Column[] = [
  { title: 'order', isNumber: true },
  { title: 'user', isNumber: true },
  { title: 'market' },
  { title: 'side' },
  { title: 'left', isNumber: true },
  { title: 'price', isNumber: true },
  { title: '' },
];

export function diffText(found: Diff): string {
  const { from, to } = found;
  const events = Object.entries(found.events).map(([kind, count]) => [kind, countText(count)]);
  return [
    `from  ${endText(from)}`,
    `to    ${endText(to)}`,
    ...section('counters', tableOf(COUNTER_COLUMNS, counterRows(found)), 0),
    ...section(
      'events',
      tableOf([{ title: 'kind' }, { title: 'count', isNumber: true }], events),
      0,
    ),
    ...section(
      'configuration',
      tableOf(CONFIGURATION_COLUMNS, configurationRows(found)),
      found.configuration.more,
    ),
    ...section('accounts', tableOf(ACCOUNT_COLUMNS, accountRows(found)), found.accounts.more),
    ...orders('orders opened', found.ordersOpened),
    ...orders('orders closed', found.ordersClosed),
    ...orders('orders changed', found.ordersChanged),
    '',
    `orders placed and closed in between: ${countText(found.ordersInBetween)}`,
  ].join('\n');
}

function endText({ sequence, timeMs }: Diff['from']): string {
  if (sequence === 0) return 'before the first frame';
  return `after frame ${sequence}, ${timeText(timeMs)}`;
}

const COUNTER_COLUMNS: readonly Column[] = [
  { title: 'counter' },
  { title: 'before', isNumber: true },
  { title: 'after', isNumber: true },
  { title: 'change', isNumber: true },
];

function counterRows({ counters }: Diff): string[][] {
  return counters.map(({ counter, before, after }) => {
    const change = after - before;
    const changeText = `${change < 0 ? '-' : '+'}${countText(Math.abs(change))}`;
    return [counter, countText(before), countText(after), changeText];
  });
}

const CONFIGURATION_COLUMNS: readonly Column[] = [
  { title: 'frame', isNumber: true },
  { title: 'command', isNumber: true },
  { title: 'what happened' },
];

function configurationRows({ configuration }: Diff): string[][] {
  return configuration.shown.map(({ sequence, command, sentence }) => [
    String(sequence),
    command === 0 ? 'time' : String(command),
    sentence,
  ]);
}

const ACCOUNT_COLUMNS: readonly Column[] = [
  { title: 'account' },
  { title: 'asset' },
  { title: 'available before', isNumber: true },
  { title: 'after', isNumber: true },
  { title: 'held before', isNumber: true },
  { title: 'after', isNumber: true },
];

function accountRows({ accounts }: Diff): string[][] {
  return accounts.shown.map(({ account, symbol, scale, availableAtoms, heldAtoms }) => [
    account,
    symbol,
    ...[availableAtoms.before, availableAtoms.after, heldAtoms.before, heldAtoms.after].map(
      (atoms) => decimalFromAtoms(atoms as Atoms, scale),
    ),
  ]);
}

function orders(title: string, { shown, more }: Some<OrderChange>): string[] {
  const rows = shown.map((order) => [
    String(order.order),
    String(order.user),
    order.market,
    order.side,
    order.remaining,
    order.isStop ? `stop ${order.price}` : order.price,
    order.note,
  ]);
  return section(title, tableOf(ORDER_COLUMNS, rows), more);
}

/** Returns nothing for an empty section. */
function section(title: string, lines: readonly string[], more: number): string[] {
  if (lines.length === 0 && more === 0) return [];
  const rest = more === 0 ? [] : [`and ${countText(more)} more`];
  return ['', title, ...[...lines, ...rest].map((line) => `  ${line}`)];
}

function tableOf(columns: readonly Column[], rows: string[][]): string[] {
  return rows.length === 0 ? [] : tableLines(columns, rows);
}
