// `npm run clients [-- --suite NAME]`: tests the documented interface and published clients against
// a running exchange.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EXIT_FAILED, EXIT_OK, runTool, UsageFault } from '../../tools/command-line.ts';
import type { OpenedTarget } from '../conformance/target.ts';

const SUITES = ['interface', 'node-client', 'ccxt'] as const;
type Suite = (typeof SUITES)[number];
/** Set inside the namespace. */
const INSIDE = 'RIALTO_CLIENTS_INSIDE';

await runTool({
  usage: `Usage: npm run clients [-- OPTIONS]

Tests an exchange from outside: the documented interface, parameter by parameter
and field by field; the recorded requests of the official Node client; and the
client library ccxt from npm, unmodified. Prints one line per case; the last line
of each suite is one JSON object. Exits with 1 if something fails.

  --suite S      only this suite: ${SUITES.join(', ')}
  --quick        leaves out the cases of ccxt that restart gateways or wait for
                 silent sockets

By default each suite starts its own exchange, a sandbox with the defaults of
production. The suites interface and node-client can use another one:

  --install      an exchange that "rialto init" lays out on this machine, in a
                 network namespace (needs root)
  --url U        a running one, without /v2; it serves operators, too, and has the
                 coins btc, usdt (networks eth and trx) and eur and the markets
                 btc-usdt and btc-eur. The suites make users, orders and money
                 there: never give them an exchange that is in use
  --stream U     its stream (default: the same host, path /stream)
  --keys F       a file {"admin": K, "maker": K, "taker": K}, where K is
                 {"key": "…", "secret": "…"}: an administrator and two users, with
                 every permission`,
  options: {
    quick: { type: 'boolean', default: false },
    suite: { type: 'string' },
    install: { type: 'boolean', default: false },
    url: { type: 'string' },
    stream: { type: 'string' },
    keys: { type: 'string' },
  },
  async run({ values }) {
    const suites = values.suite === undefined ? SUITES : [suiteNamed(values.suite)];
    if (values.install && process.env[INSIDE] === undefined) return insideNamespace();
    let isGood = true;
    for (const suite of suites) {
      const isOther = values.install || values.url !== undefined;
      if (suite === 'ccxt' && isOther) continue;
      isGood = (await runSuite(suite, values)) && isGood;
    }
    return isGood ? EXIT_OK : EXIT_FAILED;
  },
});

interface Values {
  readonly quick: boolean;
  readonly install: boolean;
  readonly url?: string | undefined;
  readonly stream?: string | undefined;
  readonly keys?: string | undefined;
}

/** Loads libraries on demand, because that takes seconds. */
async function runSuite(suite: Suite, values: Values): Promise<boolean> {
  if (suite === 'ccxt') {
    const { runClients } = await import('./run-clients.ts');
    return runClients({ quick: values.quick });
  }
  const opened = await open(values);
  try {
    if (suite === 'interface') {
      const { runInterfaceSuite } = await import('../conformance/conformance-suite.ts');
      return await runInterfaceSuite(opened);
    }
    const { runNodeClientSuite } = await import('./node-client/node-client-suite.ts');
    return await runNodeClientSuite(opened);
  } finally {
    await opened.stop();
  }
}

async function open(values: Values): Promise<OpenedTarget> {
  if (values.install) {
    const { startInstalledTarget } = await import('../conformance/installed-target.ts');
    return startInstalledTarget();
  }
  const { keys, stream, url } = values;
  if (url === undefined && keys === undefined) {
    const { startSandboxTarget } = await import('../conformance/sandbox-target.ts');
    return startSandboxTarget();
  }
  if (url === undefined || keys === undefined) throw new UsageFault('--url needs --keys.');
  const { admin, maker, taker } = JSON.parse(readFileSync(keys, 'utf8'));
  const streamUrl = stream ?? `${url.replace(/^http/, 'ws')}/stream`;
  return { target: { url, streamUrl, admin, maker, taker }, stop: async () => {} };
}

/** Runs the command in a separate network namespace, because an installation has fixed ports. */
function insideNamespace(): number {
  const command = 'ip link set lo up && exec "$@"';
  const { status } = spawnSync(
    'unshare',
    ['--net', 'sh', '-c', command, 'sh', process.execPath, ...process.argv.slice(1)],
    { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } },
  );
  return status ?? EXIT_FAILED;
}

function suiteNamed(name: string): Suite {
  const found = SUITES.find((suite) => suite === name);
  if (found === undefined) {
    throw new UsageFault(`Invalid --suite '${name}': expected one of ${SUITES.join(', ')}.`);
  }
  return found;
}
