// The rules in rules.yaml, for tests. The file has one key per line and folds only long
// expressions, so no YAML parser is needed; promtool checks that the file is valid YAML.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const RULES_FILE: string = join(import.meta.dirname, 'rules.yaml');

export interface AlertRule {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The text with each expression on one line. */
export function rulesText(): string {
  const text = readFileSync(RULES_FILE, 'utf8');
  return text.replaceAll(/expr: >-\n((?: {10}.+\n)+)/g, (_, folded: string) => {
    const lines = folded.trim().split('\n');
    return `expr: ${lines.map((line) => line.trim()).join(' ')}\n`;
  });
}

export function readAlertRules(): readonly AlertRule[] {
  const [, ...alerts] = rulesText().split('- alert: ');
  return alerts.map((text) => ({
    name: text.split('\n', 1)[0],
    labels: mappingOf('labels', text),
    annotations: mappingOf('annotations', text),
  }));
}

function mappingOf(key: string, text: string): Readonly<Record<string, string>> {
  const [, lines = ''] = text.match(new RegExp(`^ {8}${key}:\\n((?: {10}.+\\n)+)`, 'm')) ?? [];
  const pairs = lines.matchAll(/^ {10}(\w+): "?(.+?)"?$/gm);
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value]));
}
