// The package list for NATS is derived from the sources that the machine trusts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SourcesFile, sidSources } from './debian-sources.ts';

const keyring = '/usr/share/keyrings/archive.gpg';

function stanza({ uris = 'http://mirror.example/debian', signedBy = keyring } = {}): string {
  return `Types: deb\nURIs: ${uris}\nSuites: sid\nComponents: main\nSigned-By: ${signedBy}\n`;
}

const modern = `Types: deb deb-src
# A comment inside of a stanza.
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: ${keyring}

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
Signed-By: ${keyring}
`;

const cases: { title: string; files: SourcesFile[]; expected: string | undefined }[] = [
  {
    title: 'the first stanza of a modern file, with the host and the key of the machine',
    files: [{ name: 'debian.sources', text: modern }],
    expected: stanza(),
  },
  {
    title: 'the main archive even when security stands before it',
    files: [{ name: 'debian.sources', text: modern.split('\n\n').reverse().join('\n\n') }],
    expected: stanza(),
  },
  {
    title: 'a list of mirrors, as images for clouds have it',
    files: [
      {
        name: 'debian.sources',
        text: modern.replaceAll('http://mirror.example/debian', 'mirror+file:/etc/debian.list'),
      },
    ],
    expected: stanza({ uris: 'mirror+file:/etc/debian.list' }),
  },
  {
    title: 'a mirror with another name, recognized by its suite',
    files: [{ name: 'debian.sources', text: modern.replaceAll('/debian', '/remote') }],
    expected: stanza({ uris: 'http://mirror.example/remote' }),
  },
  {
    title: 'a key written into the stanza itself',
    files: [
      {
        name: 'debian.sources',
        text: modern.replaceAll(keyring, '\n -----BEGIN\n .\n AbC=\n -----END'),
      },
    ],
    expected: stanza({ signedBy: '\n -----BEGIN\n .\n AbC=\n -----END' }),
  },
  {
    title: 'an old line without options',
    files: [
      {
        name: 'sources.list',
        text: '# deb http://no.example/debian sid main\ndeb http://a.example/debian sid main\n',
      },
    ],
    expected: 'Types: deb\nURIs: http://a.example/debian\nSuites: sid\nComponents: main\n',
  },
  {
    title: 'an old line with a key among its options',
    files: [
      {
        name: 'sources.list',
        text: `deb [arch=amd64 signed-by=${keyring}] http://a.example/debian/  sid main # new`,
      },
    ],
    expected: stanza({ uris: 'http://a.example/debian/' }),
  },
  {
    title: 'the next file when the first is empty',
    files: [
      { name: 'debian.sources', text: '' },
      { name: 'sources.list', text: `deb [signed-by=${keyring}] http://b.example/debian sid main` },
    ],
    expected: stanza({ uris: 'http://b.example/debian' }),
  },
  {
    title: 'nothing from a stanza that is switched off',
    files: [{ name: 'debian.sources', text: `Enabled: no\n${modern.split('\n\n')[0]}\n` }],
    expected: undefined,
  },
  {
    title: 'nothing from sources only',
    files: [
      { name: 'debian.sources', text: modern.replace('deb deb-src', 'deb-src') },
      { name: 'sources.list', text: 'deb-src http://b.example/debian sid main' },
    ],
    expected: undefined,
  },
  {
    title: 'nothing from archives of other projects',
    files: [
      { name: 'docker.list', text: 'deb https://d.example/linux/debian bookworm stable' },
      { name: 'other.list', text: 'deb https://o.example/deb stable main' },
      { name: 'ubuntu.list', text: 'deb http://u.example/ubuntu noble main' },
    ],
    expected: undefined,
  },
  { title: 'nothing from nothing', files: [], expected: undefined },
];

for (const { title, files, expected } of cases) {
  test(`the suite sid is derived from ${title}`, () => {
    assert.equal(sidSources(files), expected);
  });
}
