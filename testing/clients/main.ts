// `npm run clients [-- --quick]`: published clients, unmodified, against a running exchange.

import { EXIT_FAILED, EXIT_OK, runTool } from '../../tools/command-line.ts';

await runTool({
  usage: `Usage: npm run clients [-- --quick]

Starts a sandbox and runs published client libraries from npm, unmodified,
against it. Prints one line per case; the last line is one JSON object.
Exits with 1 if a case fails or a declared method has no case.

  --quick     leaves out the cases that restart gateways or wait for silent
              sockets`,
  options: { quick: { type: 'boolean', default: false } },
  async run({ values }) {
    // Loading the libraries takes seconds.
    const { runClients } = await import('./run-clients.ts');
    return (await runClients({ quick: values.quick })) ? EXIT_OK : EXIT_FAILED;
  },
});
