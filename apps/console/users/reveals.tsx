// Reveals of personal data, and their review by another operator.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reveal } from '../../../client/index.ts';
import {
  Button,
  type Column,
  Field,
  Panel,
  Select,
  stateOfList,
  WideTable,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { UserLink } from '../parts/links.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

/** Reveals of one user, or the unreviewed ones of all users. */
export function RevealsPanel({ user }: { user?: number }) {
  const { t, time } = useLook();
  const { id: own, may } = useOperator();
  const [judged, setJudged] = useState<Reveal>();
  const reveals = useQuery({
    queryKey: ['private', 'reveals', user ?? 'to review'],
    queryFn: async ({ signal }) => {
      const query = user === undefined ? { reviewed: false } : { user_id: user };
      return (await exchange.getReveals(query, { signal })).data;
    },
  });
  const columns: Column<Reveal>[] = [
    { key: 'at', label: t('overview.when'), cell: ({ created_at: at }) => time(at, 'short') },
    ...(user === undefined
      ? [
          {
            key: 'user',
            label: t('users.user'),
            cell: (one: Reveal) => <UserLink id={one.user_id} />,
          },
        ]
      : []),
    { key: 'who', label: t('overview.who'), cell: (one) => one.operator_id },
    { key: 'fields', label: t('users.fields'), cell: ({ fields }) => fields.join(', ') },
    {
      key: 'reason',
      label: t('console.reason'),
      cell: ({ reason, ticket }) => <bdi>{`${reason} (${ticket})`}</bdi>,
    },
    {
      key: 'verdict',
      label: t('users.verdict'),
      cell: (one) =>
        one.verdict !== null ? (
          t(`users.${one.verdict}`)
        ) : may('judgeReveal') && one.operator_id !== own ? (
          <Button size="small" onClick={() => setJudged(one)}>
            {t('users.judge')}
          </Button>
        ) : (
          t('users.notJudged')
        ),
    },
  ];
  return (
    <Panel
      title={t('users.reveals')}
      className="xl:col-span-2"
      state={stateOfList(reveals, t('users.noReveals'))}
    >
      <WideTable
        caption={t('users.reveals')}
        columns={columns}
        rows={reveals.data ?? []}
        keyOf={({ id }) => String(id)}
      />
      {judged !== undefined && <Judge reveal={judged} onClose={() => setJudged(undefined)} />}
    </Panel>
  );
}

function Judge({ onClose, reveal }: { reveal: Reveal; onClose(): void }) {
  const { t } = useLook();
  const [verdict, setVerdict] = useState<'justified' | 'unjustified'>('justified');
  const [comment, setComment] = useState('');
  return (
    <ActDialog
      title={t('users.judge')}
      submit={t('users.judge')}
      act={() => exchange.reviewReveal({ id: reveal.id, verdict, comment })}
      onClose={onClose}
    >
      <p className="text-value">
        {t('users.judgeText', { operator: reveal.operator_id, fields: reveal.fields.join(', ') })}
      </p>
      <Select
        label={t('users.verdict')}
        value={verdict}
        onValue={setVerdict}
        choices={(['justified', 'unjustified'] as const).map((value) => ({
          value,
          label: t(`users.${value}`),
        }))}
      />
      <Field
        label={t('users.comment')}
        value={comment}
        maxLength={500}
        onChange={({ target }) => setComment(target.value)}
      />
    </ActDialog>
  );
}
