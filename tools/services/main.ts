// Installs, starts and stops the servers of development (NATS, PostgreSQL, a local chain):
// `npm run services -- COMMAND`.

import { join, resolve } from 'node:path';
import { isIdentity } from '../../infra/identities/index.ts';
import { runTool, UsageFault } from '../command-line.ts';
import { install, start, status, stop } from './commands.ts';
import { writeIdentityFiles } from './identity-files.ts';

const DEFAULT_FOLDER = join(import.meta.dirname, '../../tmp/services');

await runTool({
  usage: `Usage: npm run services -- COMMAND [OPTIONS]

Runs NATS and PostgreSQL in the background for development and tests.

  start     start the servers
              --nats 1|3      number of NATS servers (default 1)
              --no-postgres   start no PostgreSQL
              --chain         also start a local EVM chain (anvil), with a block every 2 seconds
  stop      stop the servers (data is kept)
  status    list the servers and their URLs; exits with 1 unless all are running
  install   download missing servers, and the browsers and fonts for tests
  identities  create a key for each service and the NATS users in --folder; existing
            keys are kept
              --exchange X    name of the exchange (default rialto)
              --rotate NAME   generate a new key; the old one is accepted until it is retired
              --retire NAME   accept only the newest key

  --folder F  data folder (default tmp/services)

The last line of start and status is one JSON object with the URLs.
See docs/operating/services.md.`,
  options: {
    folder: { type: 'string', default: DEFAULT_FOLDER },
    nats: { type: 'string', default: '1' },
    'no-postgres': { type: 'boolean', default: false },
    chain: { type: 'boolean', default: false },
    exchange: { type: 'string', default: 'rialto' },
    rotate: { type: 'string' },
    retire: { type: 'string' },
  },
  takesPositionals: true,
  run({ positionals: [command, ...others], values }) {
    if (command === undefined) throw new UsageFault('A command is required.');
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    const { nats } = values;
    if (nats !== '1' && nats !== '3') {
      throw new UsageFault(`Invalid --nats '${nats}': expected 1 or 3.`);
    }
    const folder = resolve(values.folder);
    const natsNodes = nats === '3' ? 3 : 1;
    if (command === 'start') {
      return start({
        folder,
        natsNodes,
        withPostgres: !values['no-postgres'],
        withChain: values.chain,
      });
    }
    if (command === 'stop') return stop({ folder });
    if (command === 'status') return status({ folder });
    if (command === 'install') return install();
    if (command === 'identities') return identities({ ...values, folder });
    throw new UsageFault(`Unknown command '${command}'.`);
  },
});

type IdentityValues = {
  readonly folder: string;
  readonly exchange: string;
  readonly rotate?: string | undefined;
  readonly retire?: string | undefined;
};

function identities({ exchange, folder, retire, rotate }: IdentityValues): number {
  const files = writeIdentityFiles({
    folder,
    exchange,
    withSandbox: false,
    rotate: identityIn('--rotate', rotate),
    retire: identityIn('--retire', retire),
  });
  console.log(`The keys are in ${folder}: one IDENTITY.nkey for each service.`);
  console.log(`  NATS includes   ${files.usersFile}`);
  console.log(`  sequencers read ${files.identitiesFile}`);
  return 0;
}

function identityIn(option: string, name: string | undefined) {
  if (name === undefined || isIdentity(name)) return name;
  throw new UsageFault(`Invalid ${option} '${name}': expected the name of an identity.`);
}
