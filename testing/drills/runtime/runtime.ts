// Starts every kind of process like operators do (the systemd unit, the image, npm scripts, a test
// run), with a probe that computes in the process and in one of its threads: none must be wrong.
// Then starts each service with a Node that is known to miscompile: all must refuse to start, which
// proves that the check can fail.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installNode } from '../../../tools/client/test-runtimes.ts';
import { runProgram } from '../../../tools/services/run-program.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PROBE = pathToFileURL(join(import.meta.dirname, 'probe/main.ts')).href;
/** Rounds over all processes for a Node upgrade; RIALTO_ROUNDS overrides the number. */
const ROUNDS = { quick: 1, full: 100 };
const AT_ONCE = 2;

interface Started {
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
}

interface Probed {
  readonly node: string;
  readonly wrong: number;
  readonly argv: readonly string[];
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const rounds = Number(process.env.RIALTO_ROUNDS ?? (quick ? ROUNDS.quick : ROUNDS.full));
  const kinds = [...services(), ...scripts(), testRun()];
  const probed: Probed[] = [];
  let silent = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await eachOf(kinds, async (kind) => {
      const results = await probe(kind);
      if (results.length < 2) {
        silent += 1;
        console.log(`${kind.title}: the probe did not run`);
      }
      for (const { argv, node, wrong } of results) {
        if (wrong > 0) console.log(`${kind.title} (${argv.join(' ')}): Node ${node} is wrong`);
      }
      probed.push(...results);
    });
    if (round % 10 === 0) console.log(`${round} rounds`);
  }
  const refused = await refusedByWrongNode();
  const wrong = probed.filter((one) => one.wrong > 0).length;
  const nodes = [...new Set(probed.map(({ node }) => node))];
  if (wrong + silent > 0 || nodes.length !== 1 || refused.accepted.length > 0) process.exitCode = 1;
  return {
    rounds,
    kinds: kinds.length,
    processes: probed.length,
    wrong,
    silent,
    nodes,
    ...refused,
  };
}

/** Returns each service, with the command of its systemd unit and of the image. */
function services(): readonly Started[] {
  const unit = readFileSync(join(ROOT, 'deploy/systemd/rialto@.service'), 'utf8');
  const [, command] = /^ExecStart=(.+)$/m.exec(unit)!;
  const image = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const [, entry] = /^ENTRYPOINT (\[.+\])$/m.exec(image)!;
  return serviceNames().flatMap((name) => {
    const words = here(command).replace('%i', name).split(' ');
    const [program, ...args] = (JSON.parse(entry) as string[]).map(here);
    return [
      { title: `unit of ${name}`, program: words[0], args: words.slice(1) },
      {
        title: `image of ${name}`,
        program: join(ROOT, 'node_modules/.bin', program),
        args: [...args, name],
      },
    ];
  });
}

/** Maps the paths of an installed release to this checkout. */
function here(text: string): string {
  return text.replaceAll('/opt/rialto', ROOT);
}

function serviceNames(): readonly string[] {
  const folders = readdirSync(join(ROOT, 'services'));
  return [...folders, 'gateway-admin', 'gateway-identity', 'gateway-ws-admin'];
}

/** Returns each npm script that is one of our programs. */
function scripts(): readonly Started[] {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { scripts: all } = JSON.parse(text) as { scripts: Record<string, string> };
  return Object.entries(all)
    .filter(([, command]) => /^node [\w/]+\/main\.ts$/.test(command))
    .map(([name]) => ({
      title: `npm run ${name}`,
      program: 'npm',
      args: ['run', '--silent', name, '--', '--help'],
    }));
}

/** Returns the test runner and the process that it starts for a file. */
function testRun(): Started {
  const file = join(ROOT, 'infra/process/check-runtime.test.ts');
  return { title: 'a test', program: process.execPath, args: ['--test', file] };
}

/** Returns the probe's results in the process, its children and their threads. */
async function probe({ args, program }: Started): Promise<readonly Probed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-runtime-'));
  try {
    await runProgram(program, args, {
      folder: ROOT,
      environment: {
        ...withoutSettings(),
        NODE_OPTIONS: `--import=${PROBE}`,
        PROBE_FOLDER: folder,
      },
    });
    // npm itself runs on the machine's Node, whichever it is.
    return readdirSync(folder)
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Probed)
      .filter(({ argv }) => !/npm(-cli\.js)?$/.test(argv[0] ?? ''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A service without settings reports that and exits, after the probe. */
function withoutSettings(): Record<string, undefined> {
  const names = Object.keys(process.env).filter((name) => name.startsWith('RIALTO_'));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

async function refusedByWrongNode(): Promise<{ refused: number; accepted: readonly string[] }> {
  const program = await installNode('26');
  const accepted: string[] = [];
  const names = serviceNames();
  await eachOf(names, async (name) => {
    const args = [join(ROOT, 'tools/start/main.ts'), name];
    const { output } = await runProgram(program, args, { environment: withoutSettings() });
    if (!output.includes('computes wrong results')) accepted.push(name);
  });
  return { refused: names.length - accepted.length, accepted };
}

/** Several at the same time, because a process mostly uses one core. */
async function eachOf<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
