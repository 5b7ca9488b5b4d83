// `npm start -- SERVICE...`: runs services in this process, configured only by environment
// variables and, if they share the process, by a file for each.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { runServices } from '../../infra/process/index.ts';
import { runTool, ToolFault, UsageFault } from '../command-line.ts';
import { GROUPS, loadService, SERVICE_NAMES, variantSettings } from './process-names.ts';

await runTool({
  usage: `Usage: npm start -- [--settings FOLDER] SERVICE...

Runs services in one process until it receives SIGTERM or SIGINT. If one of them
fails, the process exits.

Services: ${SERVICE_NAMES.join(', ')}
Groups of services:
${Object.entries(GROUPS)
  .map(([name, members]) => `  ${name.padEnd(10)} ${members.join(', ')}`)
  .join('\n')}

Environment variables configure one service (docs/operating/settings.md). For more,
FOLDER has a file with the variables of each, SERVICE.env, as \`rialto init\` writes
them. Invalid or missing variables are reported at startup. Exit codes:
infra/process/README.md.`,
  options: { settings: { type: 'string' } },
  takesPositionals: true,
  async run({ positionals, values: { settings } }) {
    if (positionals.length === 0) throw new UsageFault('SERVICE is required.');
    const names = positionals.flatMap((name) => GROUPS[name] ?? [name]);
    checkNames(names);
    if (names.length > 1 && settings === undefined) {
      throw new UsageFault('Services that share a process need --settings.');
    }
    const runs = [];
    for (const name of names) {
      const environment = { ...variantSettings(name), ...process.env, ...ownOf(name, settings) };
      const { RIALTO_PROCESS_PRIORITY: priority = '0' } = environment;
      if (names.length > 1 && priority !== '0') {
        throw new UsageFault(`${name} needs its own process: its priority is ${priority}.`);
      }
      runs.push({ service: await loadService(name), environment });
    }
    await runServices(runs);
  },
});

function checkNames(names: readonly string[]): void {
  for (const [at, name] of names.entries()) {
    if (!SERVICE_NAMES.includes(name)) {
      const known = [...SERVICE_NAMES, ...Object.keys(GROUPS)].join(', ');
      throw new UsageFault(`Unknown service '${name}': expected ${known}.`);
    }
    if (names.indexOf(name) !== at) throw new UsageFault(`'${name}' is named twice.`);
  }
}

/** Returns the variables of a service, or none without a folder. */
function ownOf(name: string, folder: string | undefined): NodeJS.Dict<string> {
  if (folder === undefined) return {};
  const file = join(folder, `${name}.env`);
  if (!existsSync(file)) throw new ToolFault(`${file} does not exist (expected its settings).`);
  const shared = ['rialto.env', 'custody.env']
    .map((one) => join(folder, one))
    .filter((path) => existsSync(path));
  const texts = [...shared, file].map((path) => parseEnv(readFileSync(path, 'utf8')));
  return Object.assign({}, ...texts);
}
