// `npm start -- SERVICE`: runs one service of this node, configured by environment variables only.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SERVICES = join(import.meta.dirname, '../../services');
const EXIT_USAGE = 2;

const programOf = (name: string) => join(SERVICES, name, 'main.ts');
const names = readdirSync(SERVICES).filter((name) => existsSync(programOf(name)));
const [service, ...more] = process.argv.slice(2);

if (service === undefined || more.length > 0 || !names.includes(service)) {
  console.error(`Usage: npm start -- SERVICE\nServices: ${names.join(', ')}`);
  process.exitCode = EXIT_USAGE;
} else {
  await import(programOf(service));
}
