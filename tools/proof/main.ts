// `rialto proof`: publishes what the exchange owes, exports it, and verifies a user's proof file.

import { readFile } from 'node:fs/promises';
import { type LiabilityProofFile, verifyLiabilityProof } from '../../client/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import {
  chosenCommand,
  EXIT_FAILED,
  EXIT_OK,
  runTool,
  ToolFault,
  UsageFault,
  wholeNumber,
} from '../command-line.ts';
import { withRegistry } from '../registry-tool.ts';
import { tableLines } from '../text-table.ts';
import { exportForAuditor, exportPublic } from './export.ts';
import { publishLiabilities } from './publish.ts';

interface Values {
  readonly archive?: string | undefined;
  readonly frame?: string | undefined;
  readonly to?: string | undefined;
  readonly 'for-auditor'?: boolean | undefined;
  readonly word?: string | undefined;
  readonly 'public-key'?: string | undefined;
  readonly publication?: string | undefined;
}

type Command = (values: Values, file: string | undefined) => Promise<number>;

function frameOf({ frame }: Values): number | undefined {
  return frame === undefined ? undefined : wholeNumber('frame', frame, { min: 1 });
}

const commands: Record<string, Command> = {
  publish: (values) =>
    withRegistry('proof', async ({ openVault, pool }) => {
      if (values.archive === undefined) throw new UsageFault('--archive is required.');
      const vault = await openVault();
      const connection = await pool.connect();
      try {
        // Inserting the trees of a large exchange takes longer than any single request.
        await connection.query('set statement_timeout = 0');
        const { document, hash, isNew } = await publishLiabilities(connection, vault, {
          archiveFolder: values.archive,
          frame: frameOf(values),
          nowMs: systemClock.nowMs(),
        });
        console.log(`${isNew ? 'published' : 'already published:'} frame ${document.frame}`);
        console.log(`hash ${hash}`);
        const columns = [
          { title: 'asset' },
          { title: 'customers, in atoms', isNumber: true },
          { title: 'accounts', isNumber: true },
        ];
        const rows = document.assets.map(({ asset, leaves, total }) => [
          asset,
          total,
          `${leaves / 2}`,
        ]);
        for (const line of tableLines(columns, rows)) console.log(line);
        return EXIT_OK;
      } finally {
        connection.release();
      }
    }),

  export: (values) =>
    withRegistry('proof', async ({ openVault, pool }) => {
      if (values.to === undefined) throw new UsageFault('--to is required.');
      const names =
        values['for-auditor'] === true
          ? await exportForAuditor(pool, await openVault(), values.to, frameOf(values))
          : await exportPublic(pool, values.to);
      for (const name of names) console.log(`wrote ${name}`);
      return EXIT_OK;
    }),

  async verify(values, file) {
    if (file === undefined) throw new UsageFault('A proof file is required.');
    if (values.word === undefined) throw new UsageFault('--word is required: your email address.');
    const text = await readFile(file, 'utf8').catch((cause) => {
      throw new ToolFault(`Cannot read '${file}': expected a proof file.`, { cause });
    });
    let proof: LiabilityProofFile;
    try {
      proof = JSON.parse(text);
    } catch (cause) {
      throw new ToolFault(`'${file}' is not a proof file: expected JSON.`, { cause });
    }
    const result = await verifyLiabilityProof(proof, {
      word: values.word,
      publicKey: values['public-key'],
      publicationHash: values.publication,
    });
    const { amounts, document, findings, isValid, publicationHash } = result;
    for (const { asset, problem } of findings) {
      console.log(['INVALID', problem.replaceAll('_', ' '), asset ?? ''].join(' ').trimEnd());
    }
    if (!isValid) return EXIT_FAILED;
    console.log(`valid: user ${proof.user_id} is included at frame ${document?.frame}`);
    console.log(`time ${document?.frame_time}`);
    console.log(`publication ${publicationHash}`);
    console.log(`public key ${proof.public_key}`);
    const columns = [{ title: 'asset' }, { title: 'amount', isNumber: true }];
    const rows = amounts.map(({ amount, asset }) => [asset, amount]);
    for (const line of tableLines(columns, rows)) console.log(line);
    return EXIT_OK;
  },
};

await runTool({
  usage: `Usage: rialto proof COMMAND [OPTIONS]

Publishes what the exchange owes its customers, and verifies proofs.
See docs/operating/proofs.md.

  publish   build, sign and store a publication of the newest verified snapshot
              --archive FOLDER
              --frame N         replay to frame N instead
  export    write all publications as files that any mirror can host
              --to FOLDER
              --for-auditor     write the secret seed and words of --frame N
                                (default: the newest) instead
  verify    verify a user's proof file, without a network
              FILE --word EMAIL
              --public-key KEY, --publication HASH   as published elsewhere

Environment variables for publish and export: those of migrate.`,
  takesPositionals: true,
  options: {
    archive: { type: 'string' },
    frame: { type: 'string' },
    to: { type: 'string' },
    'for-auditor': { type: 'boolean' },
    word: { type: 'string' },
    'public-key': { type: 'string' },
    publication: { type: 'string' },
  },
  async run({ positionals: [name, file, ...others], values }) {
    return chosenCommand(commands, name, others)(values, file);
  },
});
