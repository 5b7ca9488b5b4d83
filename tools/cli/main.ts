#!/usr/bin/env node
// `rialto`: one command line for operators and their scripts. See docs/operating/command-line.md.

import { runRialto } from './run.ts';

const EXIT_INTERRUPTED = 130;
process.once('SIGINT', () => process.exit(EXIT_INTERRUPTED));

process.exitCode = await runRialto(process.argv.slice(2));
