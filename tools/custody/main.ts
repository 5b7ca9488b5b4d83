// `rialto custody COMMAND`: creates, signs and checks the custody file, opens a network, prints the
// state of custody, and prepares a signer. Only the commands for a new signer read the words.

import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { UserId } from '../../core/money/index.ts';
import {
  evmAddressText,
  openCustody,
  readCustodyFile,
  readCustodyStatus,
} from '../../features/custody/index.ts';
import { publicKeyOf, signText } from '../../infra/custody-file/index.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import {
  type PolicyRequest,
  SignerClient,
  type StopRequest,
  stopText,
} from '../../infra/signer-link/index.ts';
import {
  createSignerFolder,
  readPassphrases,
  rebuildSignerFolder,
} from '../../services/signer/index.ts';
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
import { holdCeremony } from './ceremony.ts';
import { signFile } from './sign-file.ts';

const USAGE = `Usage: rialto custody COMMAND [OPTIONS]

Creates and checks the custody file, and opens custody of a network.

  ceremony        create 24 words, approvers' keys and a draft (offline computer)
                    --folder F       a new folder for the files
                    --exchange NAME  the exchange's name
                    --approvers N    (default: 1)
                    --xpub X         the account of a hardware wallet instead of new words
  sign            add an approver's signature
                    --file F         the draft, or the file that others signed
                    --key K          the approver's private key
                    --out F          the signed file
  check           verify a signed file and print its hash
                    --file F
                    --user U         print the deposit addresses of this user
  open            open custody of a network (cannot be undone)
                    --file F
                    --network N
  status          print each network's blocks and queues
  create-signer   write a signer's folder; reads the 24 words from standard input
                    --folder F       a new folder
                    --file F         the signed custody file
                    --unlock F       two passphrases, one per line
  rebuild-signer  write the folder from a copy of the journal; reads the words as above
                    --folder F, --unlock F
                    --journal F      the copy, one line per entry
  policy          give the signer the next version of the custody file
                    --file F
                    --socket S       the signer's socket
  stop            stop all signatures until the approvers sign the next version
                    --file F         the current custody file
                    --key K          an approver's private key
                    --socket S

Environment variables of open and status: RIALTO_POSTGRES_URL, RIALTO_REGISTRY_SCHEMA,
RIALTO_MODE.`;

const OPTIONS = {
  folder: { type: 'string' },
  exchange: { type: 'string' },
  approvers: { type: 'string', default: '1' },
  xpub: { type: 'string' },
  file: { type: 'string' },
  key: { type: 'string' },
  out: { type: 'string' },
  user: { type: 'string' },
  network: { type: 'string' },
  unlock: { type: 'string' },
  journal: { type: 'string' },
  socket: { type: 'string' },
} as const;

type Values = Partial<Record<keyof typeof OPTIONS, string>>;

const COMMANDS: Readonly<Record<string, (values: Values) => Promise<number>>> = {
  ceremony,
  sign,
  check,
  open,
  status,
  'create-signer': createSigner,
  'rebuild-signer': rebuildSigner,
  policy: (values) => giveSigner(values, nextPolicy),
  stop: (values) => giveSigner(values, stopRequest),
};

await runTool({
  usage: USAGE,
  options: OPTIONS,
  takesPositionals: true,
  run({ positionals: [name, ...others], values }) {
    return chosenCommand(COMMANDS, name, others)(values);
  },
});

async function ceremony(values: Values): Promise<number> {
  const held = holdCeremony({
    folder: required(values, 'folder'),
    exchange: required(values, 'exchange'),
    approvers: wholeNumber('approvers', required(values, 'approvers'), { min: 1, max: 20 }),
    xpub: values.xpub,
  });
  if (held.words !== undefined) {
    console.log('Write these 24 words on paper, twice. They are not stored anywhere:\n');
    for (const line of rowsOf(held.words.split(' '))) console.log(`  ${line}`);
    console.log('');
  }
  console.log(`Deposit account  ${held.xpub}\n`);
  if (held.signer !== undefined) {
    console.log(`Hot wallet       ${held.signer.hot}`);
    console.log(`Signer key       ${held.signer.publicKey}\n`);
  }
  for (const file of held.files) console.log(`wrote ${file}`);
  console.log('\nNext: list the coins in custody-draft.json, then run rialto custody sign.');
  return EXIT_OK;
}

async function sign(values: Values): Promise<number> {
  const [file, key, out] = [
    required(values, 'file'),
    required(values, 'key'),
    required(values, 'out'),
  ];
  const { approver, quorum, signatures } = signFile({ file, key, out });
  console.log(`${approver} signed: ${signatures} of ${quorum} signatures in ${out}`);
  return EXIT_OK;
}

async function check(values: Values): Promise<number> {
  const file = await readFile(values);
  console.log(`exchange ${file.exchange}, version ${file.version}, valid until ${file.validUntil}`);
  console.log(`hash ${file.hash}`);
  for (const [name, network] of file.networks) {
    const symbols = file.coins.filter((coin) => coin.network === name).map(({ symbol }) => symbol);
    console.log(`${name}: chain ${network.chainId} from block ${network.fromHeight}`);
    console.log(`${name}: coins ${symbols.join(', ') || 'none'}`);
    if (values.user === undefined) continue;
    const user = wholeNumber('user', values.user, { min: 1 }) as UserId;
    console.log(`${name}: user ${user} ${evmAddressText(name, network.xpub.evmAddress(user))}`);
  }
  return EXIT_OK;
}

async function open(values: Values): Promise<number> {
  const file = await readFile(values);
  const network = required(values, 'network');
  if (!file.networks.has(network)) throw new ToolFault(`The file has no network ${network}.`);
  const opened = await withRegistry('custody', ({ pool }) =>
    withConnection(pool, (connection) => openCustody(connection, file, network)),
  );
  if (opened === undefined) throw new ToolFault(`Custody of ${network} is open already.`);
  console.log(`Opened custody of ${network}. The watcher starts at block ${opened.fromHeight}.`);
  console.log(`Manual addresses that are no longer shown: ${opened.retiredAddresses}`);
  return EXIT_OK;
}

async function status(): Promise<number> {
  const networks = await withRegistry('custody', ({ pool }) => readCustodyStatus(pool));
  if (networks.length === 0) console.log('Custody is not open in any network.');
  for (const { haltedReason, height, network, queues, tipHeight } of networks) {
    const state = haltedReason === undefined ? 'running' : 'HALTED';
    console.log(`${network}: ${state}, final block ${height} recorded, newest block ${tipHeight}`);
    if (haltedReason !== undefined) console.log(`${network}: ${haltedReason}`);
    for (const [queue, deposits] of Object.entries(queues)) {
      console.log(`${network}: ${deposits} ${queue.replace('_', ' ')}`);
    }
  }
  return networks.some(({ haltedReason }) => haltedReason !== undefined) ? EXIT_FAILED : EXIT_OK;
}

async function createSigner(values: Values): Promise<number> {
  await readFile(values);
  createSignerFolder(await newSigner(values), {
    custodyFile: readFileSync(required(values, 'file'), 'utf8'),
    timeMs: Date.now(),
  });
  console.log(`wrote ${values.folder}`);
  return EXIT_OK;
}

async function rebuildSigner(values: Values): Promise<number> {
  const text = readFileSync(required(values, 'journal'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  rebuildSignerFolder(await newSigner(values), { lines, timeMs: Date.now() });
  console.log(`wrote ${values.folder} with ${lines.length} entries`);
  console.log('The signer is stopped until the approvers sign the next version of the policy.');
  return EXIT_OK;
}

/** Reads the words from standard input: arguments are visible to other processes. */
async function newSigner(values: Values) {
  const words = (await readText(process.stdin)).trim().split(/\s+/).join(' ');
  if (!validateMnemonic(words, wordlist)) {
    throw new ToolFault('Expected the words on standard input; their checksum is wrong.');
  }
  return {
    folder: required(values, 'folder'),
    seed: mnemonicToSeedSync(words),
    passphrases: readPassphrases(readFileSync(required(values, 'unlock'), 'utf8')),
  };
}

async function giveSigner(
  values: Values,
  requestOf: (values: Values) => Promise<PolicyRequest | StopRequest>,
): Promise<number> {
  const request = await requestOf(values);
  const client = new SignerClient({ socket: required(values, 'socket'), timeoutMs: 10_000 });
  try {
    const answer = await client.ask(request);
    if (answer.kind !== 'refused') console.log(`signer: ${answer.kind}`);
    else throw new ToolFault(`The signer refused: ${answer.refusal} ${answer.detail ?? ''}`);
    return EXIT_OK;
  } finally {
    client.close();
  }
}

async function nextPolicy(values: Values): Promise<PolicyRequest> {
  await readFile(values);
  return { kind: 'policy', file: readFileSync(required(values, 'file'), 'utf8') };
}

async function stopRequest(values: Values): Promise<StopRequest> {
  const { approvers, exchange, version } = await readFile(values);
  const privateKey = readFileSync(required(values, 'key'), 'utf8');
  const publicKey = publicKeyOf(privateKey);
  const [approver] =
    [...approvers].find(
      ([, key]) => `ed25519:${Buffer.from(key).toString('base64url')}` === publicKey,
    ) ?? [];
  if (approver === undefined) throw new ToolFault('The key is not the key of an approver.');
  return { kind: 'stop', approver, signature: signText(stopText(exchange, version), privateKey) };
}

async function readFile(values: Values) {
  try {
    return await readCustodyFile(required(values, 'file'));
  } catch (fault) {
    if (fault instanceof UsageFault) throw fault;
    throw new ToolFault(`${(fault as Error).message}.`);
  }
}

function required(values: Values, name: keyof Values): string {
  const value = values[name];
  if (value === undefined) throw new UsageFault(`--${name} is required.`);
  return value;
}

/** Six numbered words in each row. */
function rowsOf(words: readonly string[]): string[] {
  const numbered = words.map((word, at) => `${`${at + 1}`.padStart(2)} ${word.padEnd(9)}`);
  return Array.from({ length: numbered.length / 6 }, (_, row) =>
    numbered
      .slice(row * 6, row * 6 + 6)
      .join(' ')
      .trimEnd(),
  );
}
