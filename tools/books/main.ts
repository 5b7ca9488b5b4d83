// `rialto books`: the exchange's books for a period, as files for an accountant.

import { systemClock } from '../../infra/process/index.ts';
import {
  chosenCommand,
  EXIT_FAILED,
  EXIT_OK,
  runTool,
  ToolFault,
  UsageFault,
} from '../command-line.ts';
import { withRegistry } from '../registry-tool.ts';
import { exportBooks } from './export-books.ts';

interface Values {
  readonly from?: string | undefined;
  readonly end?: string | undefined;
  readonly to?: string | undefined;
}

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;

function timeOf(values: Values, name: 'end' | 'from'): Date {
  const text = values[name];
  if (text === undefined) throw new UsageFault(`--${name} is required.`);
  const time = new Date(text);
  if (!TIME.test(text) || Number.isNaN(time.getTime())) {
    throw new UsageFault(`Expected --${name} to be a date, or a time in UTC, not '${text}'.`);
  }
  return time;
}

const commands: Record<string, (values: Values) => Promise<number>> = {
  async export(values) {
    const period = { from: timeOf(values, 'from'), to: timeOf(values, 'end') };
    const folder = values.to;
    if (folder === undefined) throw new UsageFault('--to is required.');
    if (period.to < period.from) throw new UsageFault('--end must not be before --from.');
    if (period.to.getTime() > systemClock.nowMs()) {
      throw new UsageFault('--end must not be in the future.');
    }
    return withRegistry('books', async ({ config, pool }) => {
      const connection = await pool.connect();
      try {
        // Counting a month of a large exchange takes longer than any single request.
        await connection.query('set statement_timeout = 0');
        const written = await exportBooks(connection, config.postgresSchema, period, folder);
        if (written === undefined) {
          throw new ToolFault('The tables have not reached --end yet. Try again in a minute.');
        }
        for (const { name, rows } of written.files) console.log(`wrote ${name}: ${rows} rows`);
        for (const difference of written.differences) console.log(`DIFFERS ${difference}`);
        if (written.differences.length > 0) return EXIT_FAILED;
        console.log('every entry and every currency balances');
        return EXIT_OK;
      } finally {
        connection.release();
      }
    });
  },
};

await runTool({
  usage: `Usage: rialto books export --from TIME --end TIME --to FOLDER

Writes the books of a period as CSV files: chart of accounts, trial balance,
general ledger, orders and trades. See docs/operating/ledger.md.

  --from TIME  start, for example 2026-01-01 (midnight UTC)
  --end TIME   end, not included

Fails if anything does not balance. Environment variables: those of migrate.`,
  takesPositionals: true,
  options: { from: { type: 'string' }, end: { type: 'string' }, to: { type: 'string' } },
  async run({ positionals: [name, ...others], values }) {
    return chosenCommand(commands, name, others)(values);
  },
});
