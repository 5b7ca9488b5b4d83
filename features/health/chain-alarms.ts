// Alarms for chains under custody, from the figures of the chain watcher: a network that halted,
// nodes that disagree or fail, blocks that are not recorded. Without a watcher there are none.

import { HOUR_MS, MINUTE_MS } from '../../core/market-data/index.ts';
import { type AlarmDefinition, type AlarmDetail, spanText } from './alarm-definition.ts';
import type { HealthFacts } from './health-facts.ts';

/** Nodes of different operators see a new final block within seconds of each other. */
const DISAGREE_MS = 5 * MINUTE_MS;
/** A node that restarts is back sooner. */
const FAILING_MS = { ticketMs: 5 * MINUTE_MS, pageMs: HOUR_MS };
/** Two epochs of Ethereum. */
const BEHIND_BLOCKS = 64;

export const CHAIN_ALARMS: readonly AlarmDefinition[] = [
  { name: 'ChainHalted', severity: 'page', rule: halted },
  { name: 'NodesDisagree', severity: 'page', rule: nodesDisagree },
  { name: 'CustodyFilesDiffer', severity: 'page', rule: filesDiffer },
  { name: 'ChainBehind', severity: 'ticket', rule: behind },
];

function halted(facts: HealthFacts): readonly AlarmDetail[] {
  return chainsOf(facts)
    .filter(({ figure }) => figure('halted') === 1)
    .map(({ figure, network }) => ({
      object: network,
      detail: `${network} halted at block ${figure('height')}; deposits are not credited.`,
    }));
}

function nodesDisagree(facts: HealthFacts): readonly AlarmDetail[] {
  return chainsOf(facts)
    .filter(({ figure }) => figure('disagree_ms') >= DISAGREE_MS)
    .map(({ figure, network }) => ({
      object: network,
      detail: `The nodes of ${network} have disagreed for ${spanText(figure('disagree_ms'))}.`,
    }));
}

function behind(facts: HealthFacts): readonly AlarmDetail[] {
  return chainsOf(facts).flatMap(({ figure, network }): AlarmDetail[] => {
    const failingMs = figure('failing_ms');
    if (failingMs >= FAILING_MS.ticketMs) {
      const severity = failingMs >= FAILING_MS.pageMs ? 'page' : 'ticket';
      const detail = `A node of ${network} has failed for ${spanText(failingMs)}.`;
      return [{ object: network, detail, severity }];
    }
    const blocks = figure('final_height') - figure('height');
    if (blocks < BEHIND_BLOCKS) return [];
    return [{ object: network, detail: `${blocks} final blocks of ${network} are not recorded.` }];
  });
}

/** Processes that use the custody file, once one of them does. */
const WITH_CUSTODY_FILE = new Set([
  'chain-watcher',
  'gateway-http',
  'outbox-dispatcher',
  'reconciler',
]);

function filesDiffer({ processes }: HealthFacts): readonly AlarmDetail[] {
  const users = processes.filter(
    ({ service, state }) => state === 'running' && WITH_CUSTODY_FILE.has(service),
  );
  const byFile = Map.groupBy(users, ({ custodyFile }) => custodyFile?.slice(0, 12) ?? 'no file');
  if (byFile.size < 2) return [];
  const list = [...byFile].map(
    ([file, all]) => `${file} in ${all.map(({ instance }) => instance).join(', ')}`,
  );
  return [{ object: '', detail: `Different custody files are in use: ${list.join('; ')}.` }];
}

interface Chain {
  readonly network: string;
  /** Returns 0 if the watcher does not report it. */
  readonly figure: (name: string) => number;
}

/** Networks that a running watcher follows. */
function chainsOf({ processes }: HealthFacts): readonly Chain[] {
  return processes
    .filter(({ service, state }) => service === 'chain-watcher' && state === 'running')
    .flatMap(({ figures }) => {
      const networks = Object.keys(figures).flatMap(
        (name) => /^(?<network>.+)_final_height$/.exec(name)?.groups?.network ?? [],
      );
      return networks.map((network) => ({
        network,
        figure: (name: string) => figures[`${network}_${name}`] ?? 0,
      }));
    });
}
