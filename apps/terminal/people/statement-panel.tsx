// Account statement for a period of days, as PDF or CSV.

import { Download } from 'lucide-react';
import { useState } from 'react';
import { Line, Refusal, saveFile, useAct } from '../../forms/index.ts';
import { Button, Field, Panel, READY, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { lastMonth, nextDay } from './statement-period.ts';

const TYPES = { pdf: 'application/pdf', csv: 'text/csv' } as const;

export function StatementPanel() {
  const { t } = useLook();
  const [{ from, to }, setPeriod] = useState(() => lastMonth(new Date()));
  const isValid = from !== '' && to !== '' && from <= to;
  const save = useAct(async (format: keyof typeof TYPES) => {
    const query = { start_date: from, end_date: nextDay(to) };
    const text =
      format === 'pdf'
        ? await exchange.pdf('getStatement', query)
        : await exchange.csv('getStatement', query);
    saveFile(`rialto-statement-${from}-${to}.${format}`, text, TYPES[format]);
  });
  return (
    <Panel title={t('statement.title')} state={READY}>
      <Line>{t('statement.text')}</Line>
      <div className="flex flex-wrap items-end gap-2 px-2 pb-3">
        <Field
          type="date"
          label={t('statement.from')}
          value={from}
          className="w-36"
          onChange={({ target }) => setPeriod({ from: target.value, to })}
        />
        <Field
          type="date"
          label={t('statement.to')}
          value={to}
          className="w-36"
          onChange={({ target }) => setPeriod({ from, to: target.value })}
        />
        {(['pdf', 'csv'] as const).map((format) => (
          <Button
            key={format}
            isBusy={save.isBusy}
            disabled={!isValid}
            onClick={() => save.run(format)}
          >
            <Download size={14} aria-hidden="true" />
            {t(`statement.${format}`)}
          </Button>
        ))}
      </div>
      <Refusal error={save.error} isRepeatable />
    </Panel>
  );
}
