// Installs, starts and stops the real services: `npm run services -- start|stop|status|install`.

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { install, start, status, stop } from './commands.ts';

const usage = `Usage: npm run services -- COMMAND
  start [--folder F] [--nats 1|3] [--no-postgres]   start NATS and PostgreSQL in the background
  stop [--folder F]                                 stop what was started; the data stay
  status [--folder F]                               say what runs, and where
  install                                           only fetch what is missing
F is tmp/services in the checkout unless told. See docs/operating/services.md.`;

process.exitCode = await run();

async function run(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    console.error(usage);
    return 2;
  }
  const { command, folder } = options;
  if (command === 'start') return start(options);
  if (command === 'stop') return stop({ folder });
  if (command === 'status') return status({ folder });
  return install();
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        folder: { type: 'string' },
        nats: { type: 'string', default: '1' },
        'no-postgres': { type: 'boolean', default: false },
      },
    });
    const [command] = positionals;
    if (positionals.length !== 1) return undefined;
    if (!['start', 'stop', 'status', 'install'].includes(command)) return undefined;
    if (values.nats !== '1' && values.nats !== '3') return undefined;
    const natsNodes: 1 | 3 = values.nats === '3' ? 3 : 1;
    const usual = join(import.meta.dirname, '../../tmp/services');
    const folder = resolve(values.folder ?? usual);
    return { command, folder, natsNodes, withPostgres: !values['no-postgres'] };
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault);
    return undefined;
  }
}
