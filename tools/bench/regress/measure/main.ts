// Measures one workload in its own process, started by compare-trees.ts: imports it from both
// trees and prints one JSON object with the ratios, or with the reason why there are none.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startedBy } from '../../../command-line.ts';
import { DifferentWork, measurePair } from '../measure-pair.ts';
import { WORKLOAD_FOLDER, type Workload, type WorkloadModule } from '../workload.ts';

export type Measured = { readonly ratios: readonly number[] } | { readonly reason: string };

startedBy('npm run bench -- regress');

const { values } = parseArgs({
  options: {
    workload: { type: 'string', default: '' },
    current: { type: 'string', default: '' },
    base: { type: 'string', default: '' },
    windows: { type: 'string', default: '' },
    'base-first': { type: 'boolean', default: false },
  },
});

console.log(JSON.stringify(await measure()));

/** Only the base may fail: the workload belongs to the working tree. */
async function measure(): Promise<Measured> {
  const early = values['base-first'] ? await openBase() : undefined;
  const current = await open(values.current);
  const base = early ?? (await openBase());
  if ('reason' in base) return base;
  try {
    return { ratios: await measurePair({ current, base }, Number(values.windows)) };
  } catch (fault) {
    if (fault instanceof DifferentWork) return { reason: `${fault.message}` };
    throw fault;
  }
}

async function openBase(): Promise<Workload | { readonly reason: string }> {
  try {
    return await open(values.base);
  } catch (fault) {
    return { reason: fault instanceof Error ? fault.message.split('\n')[0] : `${fault}` };
  }
}

/** Runs a window, so a workload that cannot run fails here, on the right side. */
async function open(tree: string): Promise<Workload> {
  const file = join(tree, WORKLOAD_FOLDER, `${values.workload}.bench.ts`);
  const module = (await import(pathToFileURL(file).href)) as WorkloadModule;
  const workload = await module.open();
  await workload.restart();
  await workload.run(0);
  return workload;
}
