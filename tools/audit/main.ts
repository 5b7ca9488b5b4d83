// `rialto audit`: reproduces what the exchange published, from its archive, on any machine.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WordDigests } from '../../features/proofs/index.ts';
import {
  chosenCommand,
  EXIT_FAILED,
  EXIT_OK,
  runTool,
  ToolFault,
  UsageFault,
  wholeNumber,
} from '../command-line.ts';
import { auditLiabilities } from './liabilities.ts';

interface Values {
  readonly archive?: string | undefined;
  readonly frame?: string | undefined;
  readonly publication?: string | undefined;
  readonly seed?: string | undefined;
  readonly words?: string | undefined;
  readonly leaves?: string | undefined;
  readonly 'from-snapshot'?: boolean | undefined;
}

function required(values: Values, name: 'archive' | 'publication' | 'seed' | 'words'): string {
  const value = values[name];
  if (value === undefined) throw new UsageFault(`--${name} is required.`);
  return value;
}

async function text(values: Values, name: 'publication' | 'seed' | 'words'): Promise<string> {
  const path = required(values, name);
  return readFile(path, 'utf8').catch((cause) => {
    throw new ToolFault(`Cannot read --${name} '${path}'.`, { cause });
  });
}

/** Lines of a user ID and the SHA-256 of the user's word, by ascending user. */
function parseWords(content: string): WordDigests {
  const lines = content.split('\n').filter((line) => line !== '');
  const users = new Uint32Array(lines.length);
  const digests = new Uint8Array(lines.length * 32);
  for (const [index, line] of lines.entries()) {
    const [, user, digest] = /^(\d{1,10}) ([0-9a-f]{64})$/.exec(line) ?? [];
    if (digest === undefined) throw new ToolFault(`Line ${index + 1} of --words is not valid.`);
    users[index] = Number(user);
    digests.set(Buffer.from(digest, 'hex'), index * 32);
  }
  return { users, digests };
}

const commands: Record<string, (values: Values) => Promise<number>> = {
  async liabilities(values) {
    const archiveFolder = required(values, 'archive');
    const publication = await text(values, 'publication');
    const seed = Buffer.from((await text(values, 'seed')).trim(), 'hex');
    if (seed.length !== 32) throw new ToolFault('Expected --seed to have 64 hexadecimal digits.');
    const { assets, findings, frame, hash } = await auditLiabilities({
      archiveFolder,
      frame:
        values.frame === undefined ? undefined : wholeNumber('frame', values.frame, { min: 1 }),
      publication,
      seed,
      words: parseWords(await text(values, 'words')),
      usesSnapshots: values['from-snapshot'] === true,
      leavesOf: async (asset) => {
        const folder = values.leaves;
        const name = `liabilities-${JSON.parse(publication.split('\n')[0]).frame}-${asset}.leaves`;
        return folder === undefined ? undefined : readFile(join(folder, name));
      },
    });
    console.log(`frame ${frame}, publication ${hash}`);
    for (const finding of findings) console.log(`DIFFERS ${finding}`);
    if (findings.length > 0) return EXIT_FAILED;
    for (const { asset, root, total } of assets)
      console.log(`${asset}: ${total} atoms, root ${root}`);
    console.log('reproduced: every root and total follows from the archive');
    return EXIT_OK;
  },
};

await runTool({
  usage: `Usage: rialto audit liabilities --archive FOLDER --publication FILE
                               --seed FILE --words FILE [OPTIONS]

Reproduces a publication from an archive. Requires no server.
See docs/operating/proofs.md.

  liabilities   replay an archive and reproduce the roots and totals
                  --frame N        require this frame
                  --leaves FOLDER  name the accounts that differ
                  --from-snapshot  start from a snapshot of the archive instead
                                   of the first frame

The files come from rialto proof export: --for-auditor writes publication,
seed and words; the leaves are public.`,
  takesPositionals: true,
  options: {
    archive: { type: 'string' },
    frame: { type: 'string' },
    publication: { type: 'string' },
    seed: { type: 'string' },
    words: { type: 'string' },
    leaves: { type: 'string' },
    'from-snapshot': { type: 'boolean' },
  },
  async run({ positionals: [name, ...others], values }) {
    return chosenCommand(commands, name, others)(values);
  },
});
