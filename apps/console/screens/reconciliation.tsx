// Reconciliation: open discrepancies first, then ledger vs. holdings per asset, then the checks.

import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { ReconciliationCheck, ReconciliationDifference } from '../../../client/index.ts';
import {
  Amount,
  Button,
  type Column,
  DecimalField,
  Field,
  Notice,
  Panel,
  READY,
  stateOfError,
  stateOfList,
  WideTable,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { ActTarget } from '../parts/named.tsx';
import { type HoldingRow, holdingRows } from '../reconciliation/holdings.ts';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';

const EVERY_MS = 5_000;

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  const state = useQuery({
    queryKey: ['private', 'reconciliation'],
    queryFn: ({ signal }) => exchange.getReconciliation({ signal }),
    refetchInterval: EVERY_MS,
  });
  const totals = useQuery({
    queryKey: ['private', 'ledger', 'totals', { kind: 'now' }],
    enabled: may('readLedger'),
    queryFn: ({ signal }) => exchange.getLedgerTotals({}, { signal }),
  });
  const { checks, differences, holdings } = state.data ?? {};
  const rows = holdings && holdingRows(totals.data?.totals ?? [], holdings, differences ?? []);
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.reconciliation')}</h1>
      <Differences error={state.error} differences={differences} />
      <Holdings error={state.error} rows={rows} />
      <Checks error={state.error} checks={checks} />
    </div>
  );
}

function Differences({
  differences,
  error,
}: {
  error: unknown;
  differences: readonly ReconciliationDifference[] | undefined;
}) {
  const { t, time } = useLook();
  const nameOf = useNames();
  const columns: Column<ReconciliationDifference>[] = [
    { key: 'since', label: t('users.since'), cell: (one) => time(one.first_found_at, 'full') },
    { key: 'check', label: t('recon.check'), cell: (one) => nameOf('check', one.check) },
    { key: 'object', label: t('audit.object'), cell: (one) => <ActTarget target={one.object} /> },
    {
      key: 'expected',
      label: t('recon.expected'),
      isNumber: true,
      cell: ({ expected }) => <bdi dir="ltr">{expected}</bdi>,
    },
    {
      key: 'found',
      label: t('recon.found'),
      isNumber: true,
      cell: ({ found }) => (
        <bdi dir="ltr" className="font-semibold text-down">
          {found}
        </bdi>
      ),
    },
    { key: 'frame', label: t('ledger.frame'), isNumber: true, cell: ({ frame }) => frame ?? '–' },
  ];
  const isWell = differences?.length === 0;
  const panel = error !== null ? stateOfError(error) : isWell ? READY : undefined;
  return (
    <Panel
      title={t('recon.differences')}
      state={panel ?? stateOfList({ error, data: differences }, '')}
      skeletonRows={2}
    >
      {isWell ? (
        <Notice icon={<CircleCheck />} title={t('recon.none')} color="text-up" />
      ) : (
        <>
          <p className="px-2 py-1 text-body text-down">{t('recon.stops')}</p>
          <WideTable
            caption={t('recon.differences')}
            columns={columns}
            rows={differences ?? []}
            keyOf={({ id }) => String(id)}
          />
        </>
      )}
    </Panel>
  );
}

function Holdings({ error, rows }: { error: unknown; rows: readonly HoldingRow[] | undefined }) {
  const { t } = useLook();
  const { may } = useOperator();
  const [declared, setDeclared] = useState<string>();
  const columns = useHoldingColumns(setDeclared);
  return (
    <Panel
      title={t('recon.holdings')}
      dialogs={
        declared !== undefined && (
          <DeclareDialog currency={declared} onClose={() => setDeclared(undefined)} />
        )
      }
      state={stateOfList({ error, data: rows }, t('recon.noHoldings'))}
      after={
        may('declareHolding') && (
          <Button size="small" onClick={() => setDeclared('')}>
            {t('recon.declare')}
          </Button>
        )
      }
    >
      <WideTable
        caption={t('recon.holdings')}
        columns={columns}
        rows={rows ?? []}
        keyOf={({ currency }) => currency}
      />
    </Panel>
  );
}

function useHoldingColumns(onDeclare: (currency: string) => void): Column<HoldingRow>[] {
  const { t } = useLook();
  const { may } = useOperator();
  const nowMs = useNow();
  const duration = useDuration();
  const columns: Column<HoldingRow>[] = [
    {
      key: 'coin',
      label: t('users.coin'),
      cell: ({ currency }) => <bdi dir="ltr">{currency.toUpperCase()}</bdi>,
    },
    {
      key: 'ledger',
      label: t('recon.ledger'),
      isNumber: true,
      cell: ({ ledger }) => <Amount value={ledger} />,
    },
    {
      key: 'outside',
      label: t('recon.outside'),
      isNumber: true,
      cell: ({ outside }) =>
        outside === undefined ? t('recon.undeclared') : <Amount value={outside} />,
    },
    {
      key: 'difference',
      label: t('recon.difference'),
      isNumber: true,
      cell: ({ difference }) =>
        difference?.startsWith('-') === true ? (
          <span className="font-semibold text-down">
            ✕ <Amount value={difference} />
          </span>
        ) : (
          <Amount value={difference} />
        ),
    },
    {
      key: 'age',
      label: t('recon.age'),
      isNumber: true,
      cell: ({ declared }) =>
        declared === undefined
          ? '–'
          : duration(Math.max(0, nowMs - Date.parse(declared.declared_at))),
    },
    {
      key: 'note',
      label: t('recon.explained'),
      isExtra: true,
      cell: ({ declared, open }) =>
        open > 0 ? (
          <span className="text-down">{t('recon.open', { count: open })}</span>
        ) : (
          <bdi>{declared?.note ?? '–'}</bdi>
        ),
    },
  ];
  if (!may('declareHolding')) return columns;
  return [
    ...columns,
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      cell: ({ currency }) => (
        <Button size="small" onClick={() => onDeclare(currency)}>
          {t('recon.declare')}
        </Button>
      ),
    },
  ];
}

function DeclareDialog({ currency: first, onClose }: { currency: string; onClose(): void }) {
  const { number, t } = useLook();
  const { data: constants } = useQuery(constantsQuery);
  const [currency, setCurrency] = useState(first);
  const [amount, setAmount] = useState('');
  const written = amount === '' ? '' : `${number(amount)} ${currency.toUpperCase()}`;
  return (
    <ActDialog
      title={t('recon.declare')}
      submit={t('recon.declareSubmit', { amount: written })}
      reason="required"
      approvals={1}
      act={({ reason }) => exchange.declareHolding({ currency, amount, note: reason })}
      onClose={onClose}
    >
      <p className="text-value">{t('recon.declareText')}</p>
      <Field
        label={t('users.coin')}
        required
        dir="ltr"
        value={currency}
        onChange={({ target }) => setCurrency(target.value.trim().toLowerCase())}
      />
      <DecimalField
        label={t('users.amount')}
        required
        increment={constants?.coins[currency]?.increment_unit ?? '0.00000001'}
        after={currency.toUpperCase()}
        value={amount}
        onValue={setAmount}
      />
    </ActDialog>
  );
}

function Checks({
  checks,
  error,
}: {
  error: unknown;
  checks: readonly ReconciliationCheck[] | undefined;
}) {
  const { t } = useLook();
  const nameOf = useNames();
  const nowMs = useNow();
  const duration = useDuration();
  const ago = (at: string | null) =>
    at === null ? '–' : duration(Math.max(0, nowMs - Date.parse(at)));
  const columns: Column<ReconciliationCheck>[] = [
    { key: 'name', label: t('recon.check'), cell: ({ name }) => nameOf('check', name) },
    {
      key: 'rows',
      label: t('recon.rows'),
      isNumber: true,
      cell: (one) => <Amount value={String(one.rows_compared)} />,
    },
    { key: 'frame', label: t('ledger.frame'), isNumber: true, cell: ({ frame }) => frame ?? '–' },
    { key: 'step', label: t('recon.step'), isNumber: true, cell: (one) => ago(one.checked_at) },
    { key: 'pass', label: t('recon.pass'), isNumber: true, cell: (one) => ago(one.passed_at) },
  ];
  return (
    <Panel
      title={t('recon.checks')}
      state={stateOfList({ error, data: checks }, t('recon.noChecks'))}
    >
      <WideTable
        caption={t('recon.checks')}
        columns={columns}
        rows={checks ?? []}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}
