// `npm start -- SERVICE`: runs one service of this node, configured by environment variables only.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, UsageFault } from '../command-line.ts';

const SERVICES = join(import.meta.dirname, '../../services');

const programOf = (name: string) => join(SERVICES, name, 'main.ts');
const names = readdirSync(SERVICES).filter((name) => existsSync(programOf(name)));

await runTool({
  usage: `Usage: npm start -- SERVICE

Runs one service until it receives SIGTERM or SIGINT.
Services: ${names.join(', ')}

Environment variables configure the service: services/SERVICE/config.ts lists
them, and a wrong or missing one is reported at start-up. Exit codes are in
infra/process/README.md.`,
  takesPositionals: true,
  async run({ positionals: [service, ...others] }) {
    if (service === undefined) throw new UsageFault('The name of a service is missing.');
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    if (!names.includes(service)) {
      throw new UsageFault(`There is no service '${service}' (expected ${names.join(', ')}).`);
    }
    await import(programOf(service));
  },
});
