// Audit: every action with its values before and after, chain verification, and the export.

import { CircleCheck, CircleX } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { AuditEntry, AuditVerification, GetAuditsQuery } from '../../../client/index.ts';
import { Facts, Refusal, useAct } from '../../forms/index.ts';
import { Button, type Column, Dialog, Field } from '../../ui/index.ts';
import { mayExport } from '../access.ts';
import { auditQuery } from '../audit/audit-view.ts';
import { exchange } from '../exchange.ts';
import { ChangesTable } from '../parts/changes-table.tsx';
import { ExportButton } from '../parts/export-button.tsx';
import { UserLink } from '../parts/links.tsx';
import { ActTarget, Named } from '../parts/named.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { type Parameters, useParameters } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

export function Screen() {
  const { t } = useLook();
  const operator = useOperator();
  const [parameters, change] = useParameters();
  const [shown, setShown] = useState<AuditEntry>();
  const query: GetAuditsQuery = auditQuery(parameters);
  const columns = useColumns(setShown);
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.audit')}</h1>
      {operator.may('readChain') && <ChainCheck />}
      <PagedPanel
        title={t('audit.entries')}
        queryKey={['audits', query]}
        load={(page, signal) => exchange.getAudits({ ...query, ...page }, { signal })}
        columns={columns}
        keyOf={({ id }) => String(id)}
        emptyText={t('audit.none')}
        filters={<Filters key={JSON.stringify(query)} values={parameters} onChange={change} />}
        after={
          mayExport(operator, 'getAudits') && (
            <ExportButton name="audit" load={() => exchange.csv('getAudits', query)} />
          )
        }
      />
      {shown !== undefined && <Entry entry={shown} onClose={() => setShown(undefined)} />}
    </div>
  );
}

const FILTERS = ['subject', 'act', 'object', 'user_id', 'id'] as const;

function Filters({ onChange, values }: { values: Parameters; onChange(values: Parameters): void }) {
  const { t } = useLook();
  const [typed, setTyped] = useState<Parameters>(values);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(typed);
  };
  const field = (name: string, type = 'text') => (
    <Field
      key={name}
      className="w-40"
      type={type}
      label={t(`audit.filter.${name as 'act'}`)}
      dir="ltr"
      value={typed[name] ?? ''}
      onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
    />
  );
  return (
    <form onSubmit={submit} className="flex flex-1 flex-wrap items-end gap-2">
      {FILTERS.map((name) => field(name))}
      {field('from', 'date')}
      {field('to', 'date')}
      <Button type="submit" look="main">
        {t('ledger.show')}
      </Button>
      <Button
        onClick={() =>
          onChange(Object.fromEntries([...FILTERS, 'from', 'to'].map((name) => [name, ''])))
        }
      >
        {t('audit.clear')}
      </Button>
    </form>
  );
}

function useColumns(onShow: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  const { t, time } = useLook();
  return [
    { key: 'id', label: t('users.number'), isNumber: true, cell: ({ id }) => id },
    { key: 'at', label: t('overview.when'), cell: ({ timestamp }) => time(timestamp, 'full') },
    {
      key: 'who',
      label: t('overview.who'),
      cell: ({ subject }) => <bdi dir="ltr">{subject}</bdi>,
    },
    { key: 'act', label: t('overview.act'), cell: ({ act }) => <Named area="act" name={act} /> },
    {
      key: 'object',
      label: t('audit.object'),
      cell: ({ object }) => <ActTarget className="block max-w-64 truncate" target={object} />,
    },
    {
      key: 'approval',
      label: t('audit.approval'),
      isExtra: true,
      cell: ({ approval_id: id }) => id ?? '–',
    },
    {
      key: 'show',
      label: <span className="sr-only">{t('console.open')}</span>,
      cell: (entry) => (
        <Button size="small" onClick={() => onShow(entry)}>
          {t('console.open')}
        </Button>
      ),
    },
  ];
}

function Entry({ entry, onClose }: { entry: AuditEntry; onClose(): void }) {
  const { t, time } = useLook();
  const facts = [
    { label: t('overview.when'), value: time(entry.timestamp, 'full') },
    { label: t('overview.who'), value: <bdi dir="ltr">{entry.subject}</bdi> },
    { label: t('audit.credential'), value: <bdi dir="ltr">{entry.credential}</bdi> },
    { label: t('users.ip'), value: <bdi dir="ltr">{entry.ip || '–'}</bdi> },
    { label: t('overview.act'), value: <Named area="act" name={entry.act} /> },
    { label: t('audit.object'), value: <ActTarget target={entry.object} /> },
    {
      label: t('audit.concerns'),
      value: entry.user_id === null ? '–' : <UserLink id={entry.user_id} />,
    },
    { label: t('audit.approval'), value: entry.approval_id ?? '–' },
    {
      label: t('audit.hash'),
      value: (
        <bdi dir="ltr" className="font-mono break-all">
          {entry.hash}
        </bdi>
      ),
    },
  ];
  return (
    <Dialog title={t('audit.entry', { id: entry.id })} form="wide" isOpen onClose={onClose}>
      <Facts facts={facts} />
      {(entry.before !== null || entry.after !== null) && (
        <div className="mt-3">
          <ChangesTable
            label={t('audit.values')}
            before={entry.before}
            after={entry.after}
            isNewOnly={entry.before === null}
          />
        </div>
      )}
      {entry.has_personal && <p className="mt-2 text-label text-quiet">{t('audit.personal')}</p>}
    </Dialog>
  );
}

function ChainCheck() {
  const { t } = useLook();
  const [result, setResult] = useState<AuditVerification>();
  const check = useAct(async () => setResult(await exchange.verifyAudits({ limit: 10_000 })));
  return (
    <div className="flex flex-wrap items-center gap-3 rounded bg-panel px-3 py-2 text-value">
      <Button isBusy={check.isBusy} onClick={() => check.run()}>
        {t('audit.verify')}
      </Button>
      <div role="status" className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        {result === undefined ? (
          <span className="text-body text-quiet">{t('audit.verifyHint')}</span>
        ) : (
          <>
            {result.valid ? (
              <CircleCheck size={16} aria-hidden="true" className="text-up" />
            ) : (
              <CircleX size={16} aria-hidden="true" className="text-down" />
            )}
            <span className={result.valid ? '' : 'font-semibold text-down'}>
              {t(result.valid ? 'audit.chainWhole' : 'audit.chainBroken', {
                from: result.from,
                to: result.to,
                checkpoints: result.checkpoints,
                anchors: result.anchors,
                count: result.findings_count,
              })}
            </span>
            <ul className="w-full text-body">
              {result.findings.map(({ fault, id }) => (
                <li key={`${fault} ${id}`} className="text-down">
                  <Named area="auditFault" name={fault} /> · {id}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <Refusal error={check.error} />
    </div>
  );
}
