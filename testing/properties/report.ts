// Describes a difference between two exchanges for debugging.

import type { CommandFrame } from '../../core/messages/index.ts';
import type { Difference } from './difference.ts';

export function reportOf(
  { flow, seed }: { flow: string; seed: number },
  frame: CommandFrame,
  difference: Difference,
): string[] {
  const { what, command, left, right } = difference;
  const lines = [
    `the exchanges differ in ${what}: flow ${flow}, RIALTO_SEED=${seed}, frame ${frame.sequence}`,
    `  left  ${printed(left)}`,
    `  right ${printed(right)}`,
    ...fieldsThatDiffer(left, right),
  ];
  if (command > 0) lines.push(`  command ${command}`);
  const shown = frame.commands.slice(-30);
  lines.push(`frame ${frame.sequence} at ${frame.timeMs}, its last ${shown.length} commands:`);
  for (const one of shown) lines.push(`  ${printed(one)}`);
  return lines;
}

function fieldsThatDiffer(left: unknown, right: unknown): string[] {
  if (typeof left !== 'object' || typeof right !== 'object') return [];
  const [one, other] = [{ ...left } as Fields, { ...right } as Fields];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names]
    .filter((name) => printed(one[name]) !== printed(other[name]))
    .map((name) => `  ${name}: ${printed(one[name])} / ${printed(other[name])}`);
}

type Fields = Record<string, unknown>;

export function printed(value: unknown): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
  return text ?? 'nothing';
}
