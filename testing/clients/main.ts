// `npm run clients`: published clients, unmodified, against a running exchange.

import { EXIT_FAILED, EXIT_OK, runTool } from '../../tools/command-line.ts';

await runTool({
  usage: `Usage: npm run clients

Starts a sandbox and runs published client libraries from npm, unmodified,
against it. Prints one line per case; the last line is one JSON object.
Exits with 1 if a case fails or a declared method has no case.`,
  async run() {
    // Loading the libraries takes seconds.
    const { runClients } = await import('./run-clients.ts');
    return (await runClients()) ? EXIT_OK : EXIT_FAILED;
  },
});
