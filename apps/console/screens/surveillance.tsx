// Surveillance: the queue of findings with their evidence, and the rules that create them.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Finding, FindingDetail, SurveillanceRule } from '../../../client/index.ts';
import { Chip, Facts } from '../../forms/index.ts';
import {
  Amount,
  Button,
  type Column,
  Dialog,
  Panel,
  Segments,
  Select,
  stateOfList,
  WideTable,
} from '../../ui/index.ts';
import { mayExport } from '../access.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { ExportButton } from '../parts/export-button.tsx';
import { UserLink } from '../parts/links.tsx';
import { ActTarget } from '../parts/named.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { textOf } from '../parts/value.ts';
import { useOperator } from '../session.tsx';
import { RuleDialog } from '../surveillance/rule-dialog.tsx';
import { useLook, useNames } from '../use-words.ts';

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.surveillance')}</h1>
      <Queue />
      {may('readRules') && <Rules />}
    </div>
  );
}

function Queue() {
  const { t, time } = useLook();
  const operator = useOperator();
  const [state, setState] = useState<'under_way' | 'closed'>('under_way');
  const [shown, setShown] = useState<number>();
  const columns: Column<Finding>[] = [
    {
      key: 'score',
      label: t('watch.score'),
      isNumber: true,
      cell: ({ score }) => <Amount value={String(score)} />,
    },
    { key: 'rule', label: t('watch.rule'), cell: ({ rule }) => t(`watch.rule.${rule}`) },
    { key: 'user', label: t('users.user'), cell: ({ user_id: id }) => <UserLink id={id} /> },
    { key: 'object', label: t('audit.object'), cell: (one) => <ActTarget target={one.object} /> },
    { key: 'first', label: t('users.firstSeen'), cell: (one) => time(one.first_seen_at, 'short') },
    {
      key: 'state',
      label: t('users.state'),
      cell: (one) => (
        <Chip color={one.state === 'open' ? 'text-warn' : 'text-quiet'}>
          {one.result === null ? t(`watch.state.${one.state}`) : t(`watch.result.${one.result}`)}
          {one.taken_by !== null && one.state === 'taken' && ` · ${one.taken_by}`}
        </Chip>
      ),
    },
    {
      key: 'open',
      label: <span className="sr-only">{t('console.open')}</span>,
      cell: ({ id }) => (
        <Button size="small" onClick={() => setShown(id)}>
          {t('console.open')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <PagedPanel
        title={t('watch.queue')}
        queryKey={['findings', state]}
        load={(page, signal) => exchange.getFindings({ state, ...page }, { signal })}
        columns={columns}
        keyOf={({ id }) => String(id)}
        emptyText={t('watch.none')}
        refetchEveryMs={10_000}
        after={
          <span className="flex items-center gap-2">
            {mayExport(operator, 'getFindings') && (
              <ExportButton name="findings" load={() => exchange.csv('getFindings', { state })} />
            )}
            <Segments
              label={t('users.state')}
              value={state}
              onValue={setState}
              choices={[
                { value: 'under_way', label: t('watch.underWay') },
                { value: 'closed', label: t('watch.state.closed') },
              ]}
            />
          </span>
        }
      />
      {shown !== undefined && <FindingView id={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function FindingView({ id, onClose }: { id: number; onClose(): void }) {
  const { t, time } = useLook();
  const nameOf = useNames();
  const { may } = useOperator();
  const [act, setAct] = useState<'take' | 'close' | 'reopen'>();
  const finding = useQuery({
    queryKey: ['private', 'finding', id],
    queryFn: async ({ signal }) => [await exchange.getFinding({ id }, { signal })],
  });
  const [one] = finding.data ?? [];
  if (act !== undefined && one !== undefined) {
    return <FindingAct finding={one} action={act} onClose={() => setAct(undefined)} />;
  }
  return (
    <Dialog title={t('watch.finding', { id })} form="wide" isOpen onClose={onClose}>
      <Panel
        title={t('watch.evidence')}
        isTitleHidden
        state={stateOfList(finding, t('watch.none'))}
      >
        {one !== undefined && (
          <div className="flex flex-col gap-3">
            <Facts
              facts={[
                { label: t('watch.rule'), value: t(`watch.rule.${one.rule}`) },
                { label: t('users.user'), value: <UserLink id={one.user_id} /> },
                { label: t('audit.object'), value: <ActTarget target={one.object} /> },
                { label: t('watch.score'), value: one.score },
                { label: t('users.note'), value: <bdi>{one.note ?? '–'}</bdi> },
              ]}
            />
            <ul className="flex max-h-72 flex-col gap-2 overflow-y-auto text-body">
              {one.evidence.map((piece) => (
                <li key={`${piece.seen_at} ${piece.score}`} className="border-s-2 border-edge ps-2">
                  <p className="text-label text-quiet">
                    {time(piece.seen_at, 'full')} · {t('watch.score')} {piece.score}
                  </p>
                  <bdi dir="ltr">{textOf(piece.figures, { nameOf, fields: 'watch.figure' })}</bdi>
                  {piece.calls.map((call) => (
                    <code key={call} dir="ltr" className="block text-label break-all text-quiet">
                      {call}
                    </code>
                  ))}
                </li>
              ))}
            </ul>
            {may('workFinding') && (
              <div className="flex justify-end gap-2">
                {one.state === 'open' && (
                  <Button look="main" onClick={() => setAct('take')}>
                    {t('watch.act.take')}
                  </Button>
                )}
                {one.state === 'taken' && (
                  <Button look="main" onClick={() => setAct('close')}>
                    {t('watch.act.close')}
                  </Button>
                )}
                {one.state !== 'open' && (
                  <Button onClick={() => setAct('reopen')}>{t('watch.act.reopen')}</Button>
                )}
              </div>
            )}
          </div>
        )}
      </Panel>
    </Dialog>
  );
}

const RESULTS = ['no_issue', 'warned', 'frozen', 'reported'] as const;

function FindingAct({
  action,
  finding,
  onClose,
}: {
  finding: FindingDetail;
  action: 'take' | 'close' | 'reopen';
  onClose(): void;
}) {
  const { t } = useLook();
  const [result, setResult] = useState<(typeof RESULTS)[number]>('no_issue');
  const isClose = action === 'close';
  return (
    <ActDialog
      title={`${t(`watch.act.${action}`)}: ${t('watch.finding', { id: finding.id })}`}
      submit={t(`watch.act.${action}`)}
      {...(isClose && { reason: 'required' as const })}
      act={({ reason }) =>
        exchange.changeFinding({
          id: finding.id,
          action,
          ...(isClose && { result, note: reason }),
        })
      }
      onClose={onClose}
    >
      <p className="text-value">{t(`watch.will.${action}`)}</p>
      {isClose && (
        <Select
          label={t('watch.result')}
          value={result}
          onValue={setResult}
          choices={RESULTS.map((value) => ({ value, label: t(`watch.result.${value}`) }))}
        />
      )}
    </ActDialog>
  );
}

function Rules() {
  const { t, time } = useLook();
  const nameOf = useNames();
  const { may } = useOperator();
  const [changed, setChanged] = useState<SurveillanceRule>();
  const rules = useQuery({
    queryKey: ['private', 'surveillance rules'],
    queryFn: ({ signal }) => exchange.getSurveillanceRules({ signal }),
  });
  const columns: Column<SurveillanceRule>[] = [
    { key: 'rule', label: t('watch.rule'), cell: ({ rule }) => t(`watch.rule.${rule}`) },
    {
      key: 'on',
      label: t('users.state'),
      cell: ({ is_on: isOn }) => (
        <Chip color={isOn ? 'text-up' : 'text-down'}>{t(isOn ? 'people.on' : 'people.off')}</Chip>
      ),
    },
    {
      key: 'parameters',
      label: t('watch.parameters'),
      cell: ({ parameters }) => (
        <bdi dir="ltr">{textOf(parameters, { nameOf, fields: 'watch.parameter' })}</bdi>
      ),
    },
    {
      key: 'to',
      label: t('watch.checkedTo'),
      isExtra: true,
      cell: ({ checked_to: at }) => (at === null ? '–' : time(at, 'short')),
    },
    ...(may('setRule') || may('tryRule')
      ? [
          {
            key: 'act',
            label: <span className="sr-only">{t('users.acts')}</span>,
            cell: (rule: SurveillanceRule) => (
              <Button size="small" onClick={() => setChanged(rule)}>
                {t(may('setRule') ? 'people.change' : 'watch.try')}
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Panel
      title={t('watch.rules')}
      dialogs={
        changed !== undefined && <RuleDialog rule={changed} onClose={() => setChanged(undefined)} />
      }
      state={stateOfList(rules, t('watch.noRules'))}
    >
      <WideTable
        caption={t('watch.rules')}
        columns={columns}
        rows={rules.data ?? []}
        keyOf={({ rule }) => rule}
      />
    </Panel>
  );
}
