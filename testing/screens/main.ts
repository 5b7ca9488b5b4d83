// `npm run screens [-- COMMAND] [--smoke | --quick]`: checks the screens in a browser, on built
// files, real services and a moving market. The last line of standard output is one JSON object.

import { EXIT_FAILED, EXIT_OK, runTool, UsageFault } from '../../tools/command-line.ts';
import { buildScreens } from '../../tools/screens/build-screens.ts';

await runTool({
  usage: `Usage: npm run screens [-- COMMAND] [OPTIONS]

Builds the screens and examines them in Chromium, on an exchange with a moving
market and under the policy of production. Prints one line for each check; the
last line is one JSON object. Exits with 1 if a check fails.

  build       only build them, into apps/terminal/dist
  pictures    only take the pictures in docs/pictures/terminal
  mutations   break the apps on purpose; each fault must be caught by its check
  console     examine the operators' console
  console-pictures, console-mutations
              its pictures in docs/pictures/console; its faults
  console-search
              its search over 1,000,000 users and 5,000,000 orders

  --smoke     a sign-up, an order, one page of axe, the weight: half a minute
  --quick     the checks that fit into a minute
  --only X    only checks whose name contains X, or one of X,Y`,
  options: {
    smoke: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
  takesPositionals: true,
  async run({ positionals: [command = 'checks', ...others], values }) {
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    if (command === 'build') {
      const { folder, tookMs } = await buildScreens();
      console.log(JSON.stringify({ folder, seconds: Number((tookMs / 1_000).toFixed(1)) }));
      return EXIT_OK;
    }
    if (command === 'mutations') {
      const { runMutations } = await import('./mutations.ts');
      return (await runMutations(values.only)) ? EXIT_OK : EXIT_FAILED;
    }
    if (command === 'console') {
      const { runConsoleChecks } = await import('./console/run-console.ts');
      return (await runConsoleChecks(values.only)) ? EXIT_OK : EXIT_FAILED;
    }
    if (command === 'console-pictures') {
      const { runConsolePictures } = await import('./console/console-pictures.ts');
      return (await runConsolePictures()) ? EXIT_OK : EXIT_FAILED;
    }
    if (command === 'console-mutations') {
      const { runConsoleMutations } = await import('./console/console-mutations.ts');
      return (await runConsoleMutations(values.only)) ? EXIT_OK : EXIT_FAILED;
    }
    if (command === 'console-search') {
      const { runSearchAtScale } = await import('./console/search-at-scale.ts');
      return (await runSearchAtScale()) ? EXIT_OK : EXIT_FAILED;
    }
    const { runChecks, takePictures } = await import('./run-checks.ts');
    if (command === 'pictures') return (await takePictures()) ? EXIT_OK : EXIT_FAILED;
    if (command !== 'checks') throw new UsageFault(`Unknown command '${command}'.`);
    const { only, quick, smoke } = values;
    const extent = smoke ? 'smoke' : quick ? 'quick' : 'full';
    return (await runChecks({ extent, only })) ? EXIT_OK : EXIT_FAILED;
  },
});
