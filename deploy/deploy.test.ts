// Tests that the deployment files match the code: alerts and alarms with runbooks, metrics with
// those that services register, targets and containers with the production services.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALARM_SEVERITIES } from '../features/health/alarms.ts';
import { runbookOf } from '../features/health/index.ts';
import { createMetrics } from '../infra/process/index.ts';
import { SETTINGS } from '../infra/settings/index.ts';
import {
  ALONE,
  custodyProcessesOf,
  type Machine,
  type ProcessName,
  processesOf,
  serviceOf,
} from '../tools/machines/layout.ts';
import { processSettings, sharedSettings } from '../tools/machines/machine-settings.ts';
import { readAlertRules, rulesText } from './prometheus/alert-rules.ts';

const ROOT = join(import.meta.dirname, '..');
const text = (file: string): string => readFileSync(join(ROOT, 'deploy', file), 'utf8');
const rules = readAlertRules();
const FIRST_HEALTH_PORT = 9_401;

test('every monitor alarm is an alert, and every alert has the name of an alarm', () => {
  const alarms = [...ALARM_SEVERITIES.keys()].filter((name) => name !== 'MonitorSilent');
  const ofMonitor = rules.filter(({ labels }) => labels.source === 'monitor');
  assert.deepEqual(ofMonitor.map(({ name }) => name).sort(), alarms.sort());
  for (const { name } of rules) assert.ok(ALARM_SEVERITIES.has(name), name);
  assert.ok(rules.some(({ name }) => name === 'MonitorSilent'));
});

test('every alert names an existing runbook', () => {
  for (const { annotations, name } of rules) {
    assert.equal(annotations.runbook, `docs/operating/runbooks/${runbookOf(name)}.md`);
    assert.ok(existsSync(join(ROOT, annotations.runbook)), annotations.runbook);
    assert.ok(annotations.summary.length > 0);
  }
});

test('the lowest severity of an alert equals the severity of its alarm', () => {
  const own = rules.filter(({ labels }) => labels.source === 'prometheus');
  for (const [name, ofName] of Map.groupBy(own, (rule) => rule.name)) {
    const severities = ofName.map(({ labels }) => labels.severity);
    const lowest = severities.includes('ticket') ? 'ticket' : 'page';
    assert.equal(lowest, ALARM_SEVERITIES.get(name), name);
  }
});

const SUFFIX = /_(?:bucket|sum|count)$/;

/** Metric names in the sources, and those of Node's default metrics. */
async function registeredMetrics(): Promise<ReadonlySet<string>> {
  const sources = globSync('{services,infra}/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const literal = sources.flatMap((source) =>
    [...source.matchAll(/name: '(rialto_\w+)'/g)].map(([, name]) => name),
  );
  const stream = readFileSync(join(ROOT, 'services/gateway-websocket/telemetry.ts'), 'utf8');
  const shown = [...stream.matchAll(/^ {4}\['(\w+)', '/gm)].map(([, name]) => name);
  assert.equal(shown.length, 7);
  const ofNode = await createMetrics({ ofProcess: true }).text();
  const process = [...ofNode.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  return new Set([...literal, ...shown.map((name) => `rialto_stream_${name}`), ...process, 'up']);
}

function metricsIn(expression: string): readonly string[] {
  const names = expression.match(/\b(?:rialto|nodejs|process)_\w+|\bup\b/g) ?? [];
  return names.map((name) => (name.startsWith('rialto_') ? name.replace(SUFFIX, '') : name));
}

test('rules and dashboard use only metrics that services register', async () => {
  const known = await registeredMetrics();
  const panels: { targets: { expr: string }[] }[] = JSON.parse(
    text('grafana/dashboard.json'),
  ).panels;
  const expressions = [
    ...[...rulesText().matchAll(/^ +expr: (.+)$/gm)].map(([, one]) => one),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  assert.ok(expressions.length > 60, `${expressions.length} expressions`);
  const unknown = expressions.flatMap(metricsIn).filter((name) => !known.has(name));
  assert.deepEqual([...new Set(unknown)], []);
});

test('the dashboard uses only series that the rules record', () => {
  const recorded = [...rulesText().matchAll(/record: (\S+)/g)].map(([, name]) => name);
  const used: string[] = text('grafana/dashboard.json').match(/rialto:\w+:\w+/g) ?? [];
  assert.deepEqual([...new Set(used)].sort(), recorded.filter((one) => used.includes(one)).sort());
});

test('Prometheus scrapes every service at the port that `rialto init` assigns', () => {
  const targets = text('prometheus/prometheus.yaml').matchAll(
    /targets: \[127\.0\.0\.1:(\d+)\]\n +labels: \{ service: ([\w-]+) \}/g,
  );
  assert.deepEqual(
    [...targets].map(([, port, service]) => [service, Number(port)]),
    processesOf(0, [ALONE]).map(({ name }, at) => [name, FIRST_HEALTH_PORT + at]),
  );
});

const MACHINES: readonly Machine[] = ['m1', 'm2', 'm3'].map((name, at) => ({
  name,
  address: `10.0.0.${at + 1}`,
}));

/** Files in /etc/rialto that a process's settings name. */
function filesOf(process: ProcessName, machines: readonly Machine[], at: number): Set<string> {
  const exchange = {
    machines,
    publicUrl: 'https://exchange.example.com',
    adminUrl: 'https://exchange.example.com:8443',
    operatorAddresses: [],
  };
  const places = { etc: '/etc/rialto', data: '/var/lib/rialto' };
  const used = Object.values(SETTINGS).filter(({ usedBy }) =>
    (usedBy as readonly string[]).includes(serviceOf(process)),
  );
  const names = new Set(used.flatMap(({ name }) => [name, `${name}_FILE`]));
  const shared = Object.entries(sharedSettings(exchange, machines[at], places));
  const values = [
    ...shared.filter(([name]) => names.has(name)).map(([, value]) => value),
    ...Object.values(processSettings(process, exchange, machines[at], places)),
  ];
  return new Set(values.flatMap((value) => value.match(/\/etc\/rialto\/[\w./-]+/g) ?? []));
}

/** Lines of each service by name, including those of its NATS anchor. */
function servicesIn(file: string): ReadonlyMap<string, string> {
  const [anchors, services] = text(file).split(/^services:\n/m);
  const [, nats] = anchors.split('x-nats: &nats');
  const found = services.matchAll(/^ {2}([\w-]+):\n((?: {4,}.*\n|\n)*)/gm);
  return new Map(
    [...found].map(([, name, lines]) => [name, name.startsWith('nats-') ? nats + lines : lines]),
  );
}

for (const [file, machines, at] of [
  ['compose.yaml', [ALONE], 0],
  ['compose-m1.yaml', MACHINES, 0],
  ['compose-m2.yaml', MACHINES, 1],
  ['compose-m3.yaml', MACHINES, 2],
] as const) {
  test(`${file}: each service has its own user and sees only its own files`, () => {
    const numbers = new Map(
      [...text('systemd/sysusers.conf').matchAll(/^u rialto-(\S+) (\d+) /gm)].map(
        ([, name, uid]) => [name, uid],
      ),
    );
    assert.equal(new Set(numbers.values()).size, numbers.size, 'no two users share a number');
    const services = servicesIn(file);
    const processes = processesOf(at, machines).map(({ name }) => name);
    for (const name of processes) assert.ok(services.has(name), name);
    for (const [name, lines] of services) {
      const user = name.startsWith('nats-') ? 'nats' : name;
      const uid = numbers.get(user);
      assert.ok(lines.includes(`user: "${uid}:${uid}"\n`), `${name} runs as rialto-${user}`);
      const mounts = [...lines.matchAll(/^ {4}- (\/etc\/\S+?):(\S+?):ro$/gm)];
      for (const [, from, to] of mounts) assert.equal(from, to);
      const mounted = mounts.map(([, from]) => from).sort();
      if (user === 'nats') {
        const others = /\.nkey|\.url|access-key|smtp-url|link|owner/;
        assert.ok(!mounted.some((path) => others.test(path)), `${name} ${mounted}`);
        continue;
      }
      const own = [...filesOf(name as ProcessName, machines, at)].sort();
      assert.deepEqual(mounted, own, name);
    }
  });
}

test('compose-custody.yaml: each process that reads a custody setting sees its file', () => {
  const files = { custodyFile: '/etc/rialto/custody.json', nodesFile: '/etc/rialto/nodes.json' };
  const named = [
    ...processesOf(0, [ALONE]).map(({ name }) => name),
    ...custodyProcessesOf(0, [ALONE]),
  ];
  const services = servicesIn('compose-custody.yaml');
  const readers = named.flatMap((name): [string, string[]][] => {
    const own = Object.entries(files).flatMap(([setting, file]) => {
      const usedBy: readonly string[] = SETTINGS[setting as keyof typeof files].usedBy;
      return usedBy.includes(serviceOf(name)) ? [file] : [];
    });
    return own.length === 0 ? [] : [[name, own]];
  });
  assert.deepEqual([...services.keys()].sort(), readers.map(([name]) => name).sort());
  for (const [name, own] of readers) {
    const lines = services.get(name) ?? '';
    assert.ok(lines.includes('/etc/rialto/custody.env'), name);
    const base = name === 'chain-watcher' ? [...filesOf(name, [ALONE], 0)] : [];
    const mounts = [...lines.matchAll(/^ {4}- (\/etc\/\S+?):(\S+?):ro$/gm)];
    assert.deepEqual(mounts.map(([, from]) => from).sort(), [...base, ...own].sort(), name);
    for (const [, from, to] of mounts) assert.equal(from, to);
  }
});

test('the release has every screen folder that the settings of `rialto init` name', () => {
  const page = readFileSync(join(ROOT, 'RELEASING.md'), 'utf8');
  const exchange = {
    machines: [ALONE],
    publicUrl: 'https://exchange.example.com',
    adminUrl: 'https://exchange.example.com:8443',
    operatorAddresses: [],
  };
  const places = { etc: '/etc/rialto', data: '/var/lib/rialto' };
  const named = processesOf(0, [ALONE]).flatMap(({ name }) =>
    Object.values(processSettings(name, exchange, ALONE, places)).flatMap(
      (value) => value.match(/^\/opt\/rialto\/(apps\/\w+)\/dist$/)?.[1] ?? [],
    ),
  );
  assert.deepEqual(named.sort(), ['apps/console', 'apps/terminal']);
  for (const app of named)
    assert.ok(page.includes(`\ncp -r ${app}/dist dist/rialto/${app}/\n`), app);
});
