// Tests that alarms and runbooks match: one runbook per alarm, with all sections, in the index
// under its severity. Runbooks name only routes, commands, settings and pages that exist.

import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALARM_SEVERITIES, runbookOf } from './alarms.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/operating/runbooks');
const SECTIONS = [
  'Means',
  'Clients see',
  'First two minutes',
  'Find out',
  'Repair',
  'Never',
  'Afterwards',
];

const text = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const files = readdirSync(FOLDER).sort();
const all = files.map(text).join('\n');

test('every alarm has a runbook, and every runbook an alarm', () => {
  const expected = [...ALARM_SEVERITIES.keys()].map((name) => `${runbookOf(name)}.md`);
  assert.deepEqual(files, [...expected, 'README.md'].sort());
});

for (const name of ALARM_SEVERITIES.keys()) {
  test(`the runbook of ${name} has its title and all sections`, () => {
    const page = text(`${runbookOf(name)}.md`);
    assert.ok(page.startsWith(`# ${name}\n`));
    const sections = page.split('\n## ').slice(1);
    assert.deepEqual(
      sections.map((section) => section.split('\n', 1)[0]),
      SECTIONS,
    );
    for (const section of sections) {
      assert.ok(section.trim().includes('\n'), `${name}: ${section} is empty`);
    }
  });
}

test('the index lists every runbook under its lowest severity', () => {
  const [, pages, tickets] = text('README.md').split('\n## ');
  const listed = (part: string): string[] =>
    [...part.matchAll(/^\| \[(\w+)\]\(([a-z-]+)\.md\)/gm)].map(([, name, page]) => {
      assert.equal(page, runbookOf(name));
      return name;
    });
  const named = (severity: string): string[] =>
    [...ALARM_SEVERITIES].filter(([, one]) => one === severity).map(([name]) => name);
  assert.deepEqual(listed(pages).sort(), named('page').sort());
  assert.deepEqual(listed(tickets).sort(), named('ticket').sort());
});

test('runbooks link only to pages and headings that exist', () => {
  for (const [, path, heading] of all.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)) {
    const file = join(FOLDER, path);
    assert.ok(existsSync(file), path);
    if (heading === undefined) continue;
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    assert.ok(headings.includes(heading), `${path}#${heading}`);
  }
});

test('runbooks name only routes, commands and settings that exist', () => {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'protocol/openapi.json'), 'utf8'));
  for (const [, method, path] of all.matchAll(/(GET|POST|PUT|DELETE) (\/v2\/[\w/-]+)/g)) {
    assert.ok(paths[path]?.[method.toLowerCase()], `${method} ${path}`);
  }
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const [, script] of all.matchAll(/npm run ([\w:]+)/g)) assert.ok(scripts[script], script);
  for (const [, service] of all.matchAll(/npm start -- ([\w-]+)/g)) {
    assert.ok(service === 'SERVICE' || existsSync(join(ROOT, 'services', service)), service);
  }
  const sources = globSync('{services,infra,features}/**/*.ts', { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  for (const [name] of all.matchAll(/RIALTO_(?!COMMANDS|EVENTS|SNAPSHOTS)[A-Z_]+/g)) {
    assert.ok(sources.includes(`'${name}'`), name);
  }
});
