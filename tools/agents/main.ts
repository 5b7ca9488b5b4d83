// `rialto agents facts|chart`: a market of agents on the real engine in virtual time.

import { writeFileSync } from 'node:fs';
import { MODES } from '../../agents/index.ts';
import { EXIT_FAILED, EXIT_OK, runTool, UsageFault, wholeNumber } from '../command-line.ts';
import { tableLines } from '../text-table.ts';
import { chartPng } from './chart.ts';
import { factsOf, outsideBand } from './facts.ts';
import { simulate } from './simulate.ts';

const HOURS = { min: 1, max: 24 * 60 };
const SEEDS = { min: 0, max: Number.MAX_SAFE_INTEGER };
const COLUMNS = [
  { title: 'Fact' },
  { title: 'Measured', isNumber: true },
  { title: 'Band' },
  { title: '' },
];
const RATES = { min: 1, max: 1_000 };

await runTool({
  usage: `Usage: rialto agents facts|chart [OPTIONS]

Simulates a market with agents on the real engine, in virtual time and without
servers. The same seed produces the same market.

  facts           print stylized facts with their expected ranges; exits with 1 if one
                  is out of range
  chart           draw five-minute candles to a PNG file

  --seed N        random seed (default 1)
  --hours H       simulated hours (default 24)
  --mode M        ${MODES.join(', ')} (default normal)
  --rate R        multiplier for the activity of all agents (default 1)
  --symbol S      recorded pair (default btc-usdt)
  --output F      chart file (default tmp/chart.png)`,
  options: {
    seed: { type: 'string', default: '1' },
    hours: { type: 'string', default: '24' },
    mode: { type: 'string', default: 'normal' },
    rate: { type: 'string', default: '1' },
    symbol: { type: 'string', default: 'btc-usdt' },
    output: { type: 'string', default: 'tmp/chart.png' },
  },
  takesPositionals: true,
  run({ positionals: [what], values }) {
    if (what !== 'facts' && what !== 'chart') throw new UsageFault('Expected facts or chart.');
    const mode = MODES.find((one) => one === values.mode);
    if (mode === undefined) {
      throw new UsageFault(`Invalid --mode '${values.mode}': expected one of ${MODES.join(', ')}.`);
    }
    const { symbol } = values;
    const seed = wholeNumber('seed', values.seed, SEEDS);
    const hours = wholeNumber('hours', values.hours, HOURS);
    const rate = wholeNumber('rate', values.rate, RATES);
    const beganMs = performance.now();
    const simulation = simulate({ seed, hours, rate, mode, symbol });
    const { commands, record, stateHash } = simulation;
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
    console.log(
      `${hours} h of ${symbol} in ${seconds} s: ${commands} commands in all pairs, ` +
        `${record.trades.length} trades, state ${stateHash.slice(0, 16)}`,
    );
    if (what === 'chart') {
      writeFileSync(values.output, chartPng(record.trades, simulation.startMs, hours));
      console.log(values.output);
      return EXIT_OK;
    }
    const facts = factsOf(record, hours < 24);
    const rows = facts.map((fact) => [
      fact.name,
      fact.value.toFixed(3),
      fact.band.join(' to '),
      outsideBand(fact) ? 'outside' : '',
    ]);
    console.log(tableLines(COLUMNS, rows).join('\n'));
    return facts.some(outsideBand) ? EXIT_FAILED : EXIT_OK;
  },
});
