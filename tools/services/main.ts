// Installs, starts and stops NATS and PostgreSQL for development: `npm run services -- COMMAND`.

import { join, resolve } from 'node:path';
import { runTool, UsageFault } from '../command-line.ts';
import { install, start, status, stop } from './commands.ts';

const DEFAULT_FOLDER = join(import.meta.dirname, '../../tmp/services');

await runTool({
  usage: `Usage: npm run services -- COMMAND [OPTIONS]

Runs NATS and PostgreSQL in the background for development and tests.

  start     start the servers
              --nats 1|3      the number of NATS servers (default 1)
              --no-postgres   start NATS only
  stop      stop the servers; their data are kept
  status    show the servers and their URLs; exits with 1 unless all are running
  install   download the servers if they are missing, and Chromium, which some tests need

  --folder F  where the data are kept (default tmp/services)

The last line of start and status is one JSON object with the URLs.
See docs/operating/services.md.`,
  options: {
    folder: { type: 'string', default: DEFAULT_FOLDER },
    nats: { type: 'string', default: '1' },
    'no-postgres': { type: 'boolean', default: false },
  },
  takesPositionals: true,
  run({ positionals: [command, ...others], values }) {
    if (command === undefined) throw new UsageFault('The command is missing.');
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    const { nats } = values;
    if (nats !== '1' && nats !== '3') {
      throw new UsageFault(`--nats is '${nats}' (expected 1 or 3).`);
    }
    const folder = resolve(values.folder);
    const natsNodes = nats === '3' ? 3 : 1;
    if (command === 'start') {
      return start({ folder, natsNodes, withPostgres: !values['no-postgres'] });
    }
    if (command === 'stop') return stop({ folder });
    if (command === 'status') return status({ folder });
    if (command === 'install') return install();
    throw new UsageFault(`There is no command '${command}'.`);
  },
});
