// The allowed import directions. The table is the architecture; the rule below only reads it.
// A package is a boundary: other packages import its `index.ts` and no other file.

import { importsOf } from './imports.ts';
import {
  isTestOrBench,
  isTypeScript,
  type Rule,
  type SourceFile,
  type Violation,
} from './source-file.ts';

// A trailing `/*` matches each folder one level below. Imports that a row does not list are
// forbidden: ledger and matching do not import each other, and services never import services.
export const layers: Record<string, readonly string[]> = {
  'core/money': [],
  'core/structures': [],
  'core/messages': ['core/money'],
  'core/ledger': ['core/structures', 'core/money', 'core/messages'],
  'core/matching': ['core/structures', 'core/money', 'core/messages'],
  'core/engine': ['core/structures', 'core/money', 'core/messages', 'core/ledger', 'core/matching'],

  // Derived from events alone, independent of the engine.
  'core/market-data': ['core/money', 'core/messages', 'core/structures'],

  protocol: ['core/money', 'core/messages', 'core/market-data'],

  'infra/process': [],
  'infra/settings': ['infra/process'],
  'infra/identities': ['infra/process', 'core/messages'],
  'infra/bus': ['infra/process', 'infra/identities'],
  'infra/command-link': [
    'infra/process',
    'infra/identities',
    'infra/bus',
    'core/money',
    'core/messages',
  ],
  'infra/replica': ['infra/process', 'infra/journal', 'core/money', 'core/messages', 'core/engine'],
  'infra/postgres': ['infra/process', 'infra/settings'],
  'infra/projections': ['infra/process', 'infra/postgres', 'core/money', 'core/messages'],
  'infra/access': ['infra/process', 'infra/bus', 'core/money'],
  'infra/fresh-reads': [
    'infra/process',
    'infra/bus',
    'infra/journal',
    'infra/postgres',
    'infra/projections',
  ],
  'infra/*': [
    'infra/process',
    'infra/settings',
    'infra/identities',
    'infra/bus',
    'core/money',
    'core/messages',
  ],

  // Business rules over tables: permissions, and how money enters and leaves. Connections, a clock
  // and the bus are passed in as ports.
  'domain/migrations': ['infra/process', 'infra/postgres'],
  'domain/vault': ['infra/process', 'infra/postgres'],
  'domain/outbox-checks': [
    'core/money',
    'core/messages',
    'infra/postgres',
    'domain/addresses',
    'domain/referral',
    'domain/transfers',
  ],
  'domain/database-roles': ['infra/process', 'infra/postgres', 'domain/transfers'],
  'domain/switch-board': ['infra/process', 'infra/postgres', 'infra/bus'],
  'domain/addresses': [],
  'domain/accounts': ['core/money', 'infra/process', 'infra/postgres', 'domain/vault'],
  'domain/mail': ['core/money', 'infra/process', 'infra/postgres', 'domain/vault'],
  'domain/identity': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/mail',
    'domain/credentials',
    'domain/switch-board',
  ],
  'domain/audit': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/engine-commands',
  ],
  'domain/market-acts': [
    'core/money',
    'core/messages',
    'core/market-data',
    'infra/process',
    'infra/postgres',
    'domain/accounts',
    'domain/catalogue',
    'domain/audit',
    'domain/operators',
    'domain/engine-commands',
  ],
  'domain/switches': [
    'domain/switch-board',
    'core/money',
    'core/messages',
    'infra/process',
    'infra/postgres',
    'domain/audit',
    'domain/accounts',
    'domain/transfers',
    'domain/valuation',
    'domain/market-acts',
    'domain/operators',
    'domain/engine-commands',
  ],
  'domain/engine-commands': ['core/money', 'core/messages', 'infra/process', 'infra/postgres'],
  'domain/people': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/bank-accounts',
    'domain/mail',
    'domain/identity',
    'domain/audit',
    'domain/operators',
  ],
  'domain/operators': [
    'core/money',
    'core/market-data',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/mail',
    'domain/credentials',
    'domain/identity',
    'domain/valuation',
    'domain/transfers',
    'domain/audit',
    'domain/switch-board',
  ],
  'domain/set-up': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/addresses',
    'domain/mail',
    'domain/identity',
    'domain/credentials',
    'domain/catalogue',
    'domain/announcements',
    'domain/audit',
    'domain/operators',
  ],
  'domain/money-acts': [
    'core/money',
    'core/messages',
    'infra/process',
    'infra/postgres',
    'domain/audit',
    'domain/engine-commands',
    'domain/operators',
    'domain/transfers',
    'domain/withdrawals',
  ],
  'domain/address-book': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/addresses',
    'domain/mail',
    'domain/identity',
  ],
  'domain/key-rotation': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/mail',
    'domain/credentials',
    'domain/identity',
    'domain/support',
    'domain/sub-accounts',
    'domain/audit',
    'domain/operators',
  ],
  'domain/upkeep': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/mail',
    'domain/identity',
    'domain/withdrawals',
    'domain/referral',
    'domain/staking',
    'domain/surveillance',
    'domain/valuation',
    'domain/audit',
    'domain/operators',
    'domain/ledger-history',
    'domain/fee-effect',
  ],
  'domain/bank-accounts': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
  ],
  'domain/fiat': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/identity',
    'domain/transfers',
    'domain/withdrawals',
  ],
  'domain/deposit-addresses': ['core/money', 'infra/process', 'infra/postgres', 'domain/addresses'],
  'domain/announcements': ['core/money', 'infra/process', 'infra/postgres'],
  'domain/support': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/mail',
  ],
  'domain/catalogue': [
    'core/money',
    'core/messages',
    'infra/process',
    'infra/postgres',
    'domain/accounts',
  ],
  'domain/credentials': [
    'core/money',
    'infra/process',
    'infra/bus',
    'infra/postgres',
    'infra/access',
    'domain/vault',
    'domain/accounts',
  ],
  'domain/valuation': ['core/money', 'core/market-data', 'infra/process', 'infra/postgres'],
  'domain/transfers': [
    'core/money',
    'core/messages',
    'infra/process',
    'infra/bus',
    'infra/postgres',
    'domain/accounts',
    'domain/catalogue',
    'domain/addresses',
    'domain/valuation',
    'domain/switch-board',
  ],
  'domain/staking': [
    'core/money',
    'infra/postgres',
    'domain/audit',
    'domain/accounts',
    'domain/operators',
    'domain/transfers',
    'domain/valuation',
  ],
  'domain/operator-lists': [
    'core/money',
    'core/messages',
    'infra/postgres',
    'infra/projections',
    'domain/switch-board',
  ],
  'domain/console': [
    'core/money',
    'core/messages',
    'infra/postgres',
    'domain/vault',
    'domain/people',
  ],
  'domain/referral': [
    'core/money',
    'infra/postgres',
    'domain/accounts',
    'domain/operators',
    'domain/transfers',
  ],

  'domain/withdrawals': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/mail',
    'domain/identity',
    'domain/addresses',
    'domain/operators',
    'domain/transfers',
    'domain/switch-board',
  ],
  'domain/sub-accounts': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/mail',
    'domain/credentials',
    'domain/identity',
    'domain/transfers',
    'domain/switch-board',
  ],
  'domain/statistics': ['core/money', 'core/market-data', 'infra/process', 'infra/postgres'],

  'domain/transfer-mails': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/addresses',
    'domain/mail',
    'domain/identity',
    'domain/transfers',
  ],
  'domain/user-acts': [
    'core/money',
    'infra/process',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/mail',
    'domain/credentials',
    'domain/identity',
    'domain/bank-accounts',
    'domain/deposit-addresses',
    'domain/referral',
    'domain/audit',
    'domain/operators',
    'domain/people',
    'domain/switch-board',
  ],

  'domain/fee-effect': ['core/money', 'infra/postgres'],
  'domain/ledger-history': ['core/money', 'core/messages', 'infra/postgres'],

  'domain/reconciliation': [
    'core/money',
    'infra/postgres',
    'domain/vault',
    'domain/audit',
    'domain/operators',
    'domain/transfers',
  ],
  'domain/health': [
    'core/money',
    'infra/postgres',
    'domain/market-acts',
    'domain/operators',
    'domain/reconciliation',
  ],

  'domain/surveillance': [
    'core/money',
    'infra/postgres',
    'domain/vault',
    'domain/accounts',
    'domain/audit',
    'domain/operators',
    'domain/transfers',
  ],

  // The sequencer and its followers run the engine, through infra/replica. All other services only
  // exchange messages with it.
  'services/sequencer': ['protocol', 'infra/*', 'core/money', 'core/messages', 'core/engine'],
  'services/archivist': ['protocol', 'infra/*', 'core/money', 'core/messages', 'core/engine'],
  'services/reconciler': [
    'protocol',
    'infra/*',
    'core/money',
    'core/messages',
    'core/engine',
    'domain/migrations',
    'domain/reconciliation',
    'domain/transfers',
    'domain/vault',
  ],
  // They recompute the events that the log no longer holds.
  'services/projector': [
    'core/money',
    'core/messages',
    'core/market-data',
    'infra/process',
    'infra/settings',
    'infra/bus',
    'infra/journal',
    'infra/replica',
    'infra/postgres',
    'infra/projections',
    'infra/status',
  ],
  'services/publisher': [
    'protocol',
    'core/money',
    'core/messages',
    'core/market-data',
    'infra/process',
    'infra/settings',
    'infra/bus',
    'infra/journal',
    'infra/replica',
    'infra/live-feed',
    'infra/status',
  ],
  // Agents meet the exchange as any client does.
  'services/market-agents': [
    'agents',
    'client',
    'infra/process',
    'infra/settings',
    'infra/identities',
    'infra/bus',
    'infra/status',
  ],
  'services/*': [
    'protocol',
    'core/money',
    'core/messages',
    'core/market-data',
    'domain/*',
    'infra/process',
    'infra/settings',
    'infra/identities',
    'infra/bus',
    'infra/journal',
    'infra/command-link',
    'infra/postgres',
    'infra/projections',
    'infra/access',
    'infra/live-feed',
    'infra/fresh-reads',
    'infra/status',
  ],

  // Screens meet the exchange as any client does. Amounts are texts: `apps/decimals` counts them.
  'apps/decimals': [],
  'apps/ui': ['apps/decimals'],
  'apps/forms': ['apps/decimals', 'apps/ui', 'client'],
  'apps/*': ['apps/decimals', 'apps/forms', 'apps/ui', 'client', 'protocol'],

  // Published on its own: tools/client generates the parts of the protocol that it needs.
  client: [],

  // Traders as state machines behind a port: they know what a client knows, and no exchange.
  agents: [],

  // Files for operators; its code is tests of them.
  deploy: ['infra/process', 'infra/settings', 'domain/health'],

  testing: ['*'],
  tools: ['*'],
};

// Tests and benches of the core need a test runner; the core itself has no external imports.
const outsideForCoreTests = ['node:test', 'node:assert', 'node:assert/strict', 'fast-check'];

/** The configuration of a tool belongs to no package. */
const isToolConfig = ({ path }: SourceFile) => path.endsWith('/vite.config.ts');

export const checkLayers: Rule = (files) =>
  files.filter((file) => isTypeScript(file) && !isToolConfig(file)).flatMap(checkFile);

function checkFile(file: SourceFile): Violation[] {
  const home = packageOf(file.path);
  if (home === undefined) {
    const message = 'belongs to no package; add its folder to the table in tools/tidy/layers.ts';
    return [{ path: file.path, line: 1, message }];
  }
  const violations: Violation[] = [];
  for (const { specifier, line, target } of importsOf(file)) {
    const message =
      target === undefined
        ? refuseOutside(file.path, home, specifier)
        : refuseInside(file.path, home, target);
    if (message !== undefined) violations.push({ path: file.path, line, message });
  }
  return violations;
}

// Domain code takes its connection, clock and bus as ports: it opens no connections itself.
const serversAndClients = /^(?:@nats-io\/.*|fastify|ws|pg|node:(?:http|https|http2|net|tls))$/;

function refuseOutside(path: string, home: string, specifier: string): string | undefined {
  if (home.startsWith('domain/') && !isTestOrBench(path) && serversAndClients.test(specifier)) {
    return `domain code may not import '${specifier}'; declare a port instead`;
  }
  if (!home.startsWith('core/')) return undefined;
  if (isTestOrBench(path)) {
    if (outsideForCoreTests.includes(specifier)) return undefined;
    return `tests of the core may not import '${specifier}'`;
  }
  return `the core may not import '${specifier}'; it has no external imports`;
}

function refuseInside(path: string, home: string, target: string): string | undefined {
  const other = packageOf(target);
  if (other === home) return undefined;
  if (other === undefined) return `imports '${target}', which belongs to no package`;

  const isFree = home === 'testing' || home === 'tools' || isTestOrBench(path);
  if (other === 'testing') {
    const isTestCode = home === 'testing' || isTestOrBench(path);
    return isTestCode ? undefined : 'only tests and benches may import testing';
  }
  // Tests that need a server start a real one with the tools.
  if (other === 'tools') {
    return isFree ? undefined : 'only tests, benches and tools may import tools';
  }
  if (
    !mayTest(path, home, other) &&
    !rowOf(home).some((row) => row === '*' || matches(row, other))
  ) {
    return `${home} may not import ${other}`;
  }
  if (!isFree && target !== `${other}/index.ts`) {
    return `imports '${target}'; import ${other}/index.ts instead`;
  }
  return undefined;
}

// A test may create the input of its package: events for a service, tables for the domain.
function mayTest(path: string, home: string, other: string): boolean {
  if (!isTestOrBench(path)) return false;
  if (home.startsWith('services/')) return other === 'infra/replica';
  return home.startsWith('domain/') && /^(?:core|infra|domain)\//.test(other);
}

/** The package a path belongs to: `core/ledger`, `services/projector`, `protocol`, … */
export function packageOf(path: string): string | undefined {
  const [top, folder, rest] = path.split('/');
  if (folder === undefined) return undefined;
  if (top in layers) return top;
  const candidate = `${top}/${folder}`;
  return rest !== undefined && findRow(candidate) !== undefined ? candidate : undefined;
}

function rowOf(home: string): readonly string[] {
  return findRow(home) ?? [];
}

// An exact row takes precedence over a row with a star.
function findRow(name: string): readonly string[] | undefined {
  const starred = `${name.slice(0, name.indexOf('/'))}/*`;
  return layers[name] ?? layers[starred];
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}
