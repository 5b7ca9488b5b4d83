// `npm start -- SERVICE`: runs one service on this node, configured only by environment variables.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, UsageFault } from '../command-line.ts';

const SERVICES = join(import.meta.dirname, '../../services');

/** Services that are another one with different settings. */
const VARIANTS: Readonly<Record<string, { service: string; settings: Record<string, string> }>> = {
  // Serves everything to operators. The other gateways then omit the `admin` module.
  'gateway-admin': {
    service: 'gateway-http',
    settings: { RIALTO_GATEWAY_MODULES: 'public,user,admin,identity' },
  },
  // Hashes passwords at a low priority, so orders are not slower.
  'gateway-identity': {
    service: 'gateway-http',
    settings: { RIALTO_GATEWAY_MODULES: 'identity', RIALTO_PROCESS_PRIORITY: '15' },
  },
  // Stream on the gateway for operators.
  'gateway-ws-admin': {
    service: 'gateway-websocket',
    settings: { RIALTO_STREAM_AUDIENCE: 'operators' },
  },
};

const programOf = (name: string) => join(SERVICES, name, 'main.ts');
const folders = readdirSync(SERVICES).filter((name) => existsSync(programOf(name)));
const names = [...folders, ...Object.keys(VARIANTS)].sort();

await runTool({
  usage: `Usage: npm start -- SERVICE

Runs one service until it receives SIGTERM or SIGINT.
Services: ${names.join(', ')}

Environment variables configure the service (docs/operating/settings.md). Invalid
or missing ones are reported at startup. Exit codes: infra/process/README.md.`,
  takesPositionals: true,
  async run({ positionals: [service, ...others] }) {
    if (service === undefined) throw new UsageFault('SERVICE is required.');
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    if (!names.includes(service)) {
      throw new UsageFault(`Unknown service '${service}': expected ${names.join(', ')}.`);
    }
    const variant = VARIANTS[service];
    Object.assign(process.env, { ...variant?.settings, ...process.env });
    await import(programOf(variant?.service ?? service));
  },
});
