// Measures what an exchange needs, in few processes and with one per service. With `--write`, puts
// the tables into README.md and docs/operating/sizing.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { readBuildInfo } from '../../../infra/process/index.ts';
import { type LayoutFigures, measureLayout, type Sizes } from './measure-layout.ts';
import { type Machine, pageTables, readmeTable, withTables } from './sizing-tables.ts';

const FULL: Sizes = { settleMs: 5_000, idleMs: 10_000, warmUpMs: 2_000, forMs: 8_000 };
const QUICK: Sizes = { settleMs: 1_000, idleMs: 3_000, warmUpMs: 500, forMs: 2_000 };
const ROOT = join(import.meta.dirname, '../../..');

export async function run({ quick, write }: { quick: boolean; write: boolean }) {
  const [load] = loadavg();
  const [{ model }] = cpus();
  const machine: Machine = {
    command: `npm run bench -- sizing${quick ? ' --quick' : ''}`,
    day: new Date().toISOString().slice(0, 10),
    commit: readBuildInfo().commit,
    cores: cpus().length,
    model: model.replace(/\s+/g, ' ').trim(),
    node: process.version,
    load: Number(load.toFixed(1)),
  };
  const sizes = quick ? QUICK : FULL;
  const layouts: LayoutFigures[] = [];
  for (const layout of ['few', 'split'] as const) layouts.push(await measureLayout(layout, sizes));
  const [few, split] = layouts;
  const page = pageTables({ machine, few, split });
  console.log(page);
  if (write) {
    replaceTables('docs/operating/sizing.md', page);
    replaceTables('README.md', readmeTable({ machine, few, split }));
  }
  return { ...machine, few, split };
}

function replaceTables(name: string, tables: string): void {
  const file = join(ROOT, name);
  writeFileSync(file, withTables(readFileSync(file, 'utf8'), tables));
}
