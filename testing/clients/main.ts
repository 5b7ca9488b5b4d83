// `npm run clients [-- --suite NAME]`: the documented interface, and published clients, against a
// running exchange.

import { readFileSync } from 'node:fs';
import { EXIT_FAILED, EXIT_OK, runTool, UsageFault } from '../../tools/command-line.ts';

const SUITES = ['interface', 'node-client', 'ccxt'] as const;
type Suite = (typeof SUITES)[number];

await runTool({
  usage: `Usage: npm run clients [-- OPTIONS]

Tests an exchange from outside: the documented interface, parameter by parameter
and field by field; the recorded requests of the official Node client; and the
client library ccxt from npm, unmodified. Prints one line per case; the last line
of each suite is one JSON object. Exits with 1 if something fails.

  --suite S      only this suite: ${SUITES.join(', ')}
  --quick        leaves out the cases of ccxt that restart gateways or wait for
                 silent sockets

By default each suite starts its own exchange. The suites interface and
node-client can use another one, which has the coins btc, usdt (networks eth and
trx) and eur, and the markets btc-usdt and btc-eur. They make users, orders and
money there: never give them an exchange that is in use.

  --url U        the exchange, without /v2; it must serve operators, too
  --stream U     its stream (default: the same host, path /stream)
  --keys F       a file {"admin": K, "maker": K, "taker": K}, where K is
                 {"key": "…", "secret": "…"}: an administrator and two users, with
                 every permission`,
  options: {
    quick: { type: 'boolean', default: false },
    suite: { type: 'string' },
    url: { type: 'string' },
    stream: { type: 'string' },
    keys: { type: 'string' },
  },
  async run({ values }) {
    const suites = values.suite === undefined ? SUITES : [suiteNamed(values.suite)];
    const target = targetOf(values);
    let isGood = true;
    // Loading the libraries takes seconds.
    for (const suite of suites) {
      if (suite === 'interface') {
        const { runInterfaceSuite } = await import('../conformance/conformance-suite.ts');
        isGood = (await runInterfaceSuite(target)) && isGood;
      } else if (suite === 'node-client') {
        const { runNodeClientSuite } = await import('./node-client/node-client-suite.ts');
        isGood = (await runNodeClientSuite(target)) && isGood;
      } else if (target === undefined || values.suite === 'ccxt') {
        const { runClients } = await import('./run-clients.ts');
        isGood = (await runClients({ quick: values.quick })) && isGood;
      }
    }
    return isGood ? EXIT_OK : EXIT_FAILED;
  },
});

function suiteNamed(name: string): Suite {
  const found = SUITES.find((suite) => suite === name);
  if (found === undefined) {
    throw new UsageFault(`--suite is '${name}' (expected one of ${SUITES.join(', ')}).`);
  }
  return found;
}

function targetOf(values: { url?: string; stream?: string; keys?: string }) {
  const { keys, stream, url } = values;
  if (url === undefined && keys === undefined) return undefined;
  if (url === undefined || keys === undefined) throw new UsageFault('--url needs --keys.');
  const { admin, maker, taker } = JSON.parse(readFileSync(keys, 'utf8'));
  const streamUrl = stream ?? `${url.replace(/^http/, 'ws')}/stream`;
  return { url, streamUrl, admin, maker, taker };
}
