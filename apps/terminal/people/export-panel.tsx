// Account lists as CSV files.

import { Download } from 'lucide-react';
import { Line, Refusal, saveFile, useAct } from '../../forms/index.ts';
import { Button, Panel, READY, useLook, type Word } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';

const LISTS = [
  { call: 'getOrders', word: 'exports.orders', name: 'orders' },
  { call: 'getUserTrades', word: 'exports.trades', name: 'trades' },
  { call: 'getDeposits', word: 'exports.deposits', name: 'deposits' },
  { call: 'getWithdrawals', word: 'exports.withdrawals', name: 'withdrawals' },
  { call: 'getBalanceHistory', word: 'exports.balances', name: 'balances' },
  { call: 'getStakes', word: 'exports.stakes', name: 'stakes' },
  { call: 'getRealizedReferral', word: 'exports.referral', name: 'referral' },
  { call: 'getLogins', word: 'exports.logins', name: 'logins' },
] as const satisfies readonly { call: string; word: Word; name: string }[];

export function ExportPanel() {
  const { t } = useLook();
  const save = useAct(async ({ call, name }: (typeof LISTS)[number]) => {
    const day = new Date().toISOString().slice(0, 10);
    saveFile(`rialto-${name}-${day}.csv`, await exchange.csv(call), 'text/csv');
  });
  return (
    <Panel title={t('exports.title')} state={READY}>
      <Line>{t('exports.text')}</Line>
      <div className="flex flex-wrap gap-2 px-2 pb-3">
        {LISTS.map((list) => (
          <Button key={list.call} isBusy={save.isBusy} onClick={() => save.run(list)}>
            <Download size={14} aria-hidden="true" />
            {t(list.word)}
          </Button>
        ))}
      </div>
      <Refusal error={save.error} />
    </Panel>
  );
}
