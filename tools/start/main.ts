// `npm start -- SERVICE`: one service of this node, configured by the environment and nothing else.
// In production a service refuses to run without its settings; this only says so in plain words.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SERVICES = join(import.meta.dirname, '../../services');
const EXIT_USAGE = 2;
const EXIT_CONFIGURATION = 78;

const programOf = (name: string) => join(SERVICES, name, 'main.ts');
const names = readdirSync(SERVICES).filter((name) => existsSync(programOf(name)));
const [service, ...more] = process.argv.slice(2);

if (service === undefined || more.length > 0 || !names.includes(service)) {
  console.error(`Usage: npm start -- SERVICE\nServices: ${names.join(', ')}`);
  process.exitCode = EXIT_USAGE;
} else {
  try {
    await import(programOf(service));
  } catch (fault) {
    // A file of settings that is wrong is no reason to show where in the program that was noticed.
    if (!(fault instanceof Error) || fault.name !== 'ConfigFault') throw fault;
    console.error(`${service} can not start. ${fault.message}`);
    process.exitCode = EXIT_CONFIGURATION;
  }
}
