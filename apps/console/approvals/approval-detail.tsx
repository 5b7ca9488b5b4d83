// One approval request: requester, reason, the change before and after, and expiry. The vote dialog
// repeats the change and requires the second factor.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../../client/index.ts';
import { Chip, type Fact, Facts } from '../../forms/index.ts';
import { Amount, Button, Field, Panel, READY, stateOfError } from '../../ui/index.ts';
import { controlQuery, exchange } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { ChangesTable } from '../parts/changes-table.tsx';
import { ActTarget, Named } from '../parts/named.tsx';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';
import { actOn } from './approval-view.ts';

const COLOURS: Readonly<Record<Approval['state'], string>> = {
  pending: 'text-warn',
  executed: 'text-up',
  failed: 'text-down',
  rejected: 'text-down',
  expired: 'text-quiet',
  withdrawn: 'text-quiet',
  stale: 'text-quiet',
};

export function ApprovalState({ state }: { state: Approval['state'] }) {
  const { t } = useLook();
  return <Chip color={COLOURS[state]}>{t(`approval.${state}`)}</Chip>;
}

export function ApprovalDetail({ id }: { id: number }) {
  const { t } = useLook();
  // Only the single-request endpoint returns the personal values that a voter must read.
  const { data, error } = useQuery({
    queryKey: ['private', 'approvals', id],
    queryFn: ({ signal }) => exchange.approval({ id }, { signal }),
  });
  const state =
    error !== null
      ? stateOfError(error)
      : data === undefined
        ? ({ kind: 'loading' } as const)
        : READY;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Panel
        title={t('approvals.request', { id })}
        state={state}
        className="flex-none"
        after={data && <ApprovalState state={data.state} />}
      >
        {data !== undefined && <Request approval={data} />}
      </Panel>
      {data !== undefined && (
        <>
          <ShownPanel approval={data} />
          <Panel title={t('approvals.payload')} state={READY} className="flex-none">
            <ChangesTable after={data.payload} isNewOnly label={t('approvals.payload')} />
          </Panel>
        </>
      )}
    </div>
  );
}

type Choice = 'approve' | 'reject' | 'take-back';

function Request({ approval }: { approval: Approval }) {
  const { t } = useLook();
  const operator = useOperator();
  const [choice, setChoice] = useState<Choice>();
  const act = actOn(approval, operator);
  const isOwn = approval.requester_id === operator.id;
  return (
    <>
      <Facts facts={useFacts(approval)} />
      <div className="flex flex-wrap items-center gap-2 border-t border-line p-2">
        {act === 'vote' && (
          <>
            <Button look="main" onClick={() => setChoice('approve')}>
              {approval.needed === 1
                ? t('approvals.approve')
                : t('approvals.approveNumber', {
                    number: approval.approvals + 1,
                    needed: approval.needed,
                  })}
            </Button>
            <Button look="danger" onClick={() => setChoice('reject')}>
              {t('approvals.reject')}
            </Button>
          </>
        )}
        {act === 'take-back' && (
          <Button onClick={() => setChoice('take-back')}>{t('approvals.takeBack')}</Button>
        )}
        {approval.state === 'pending' && act !== 'vote' && (
          <span className="text-body text-quiet">
            {t(isOwn ? 'approvals.own' : 'approvals.noVote')}
          </span>
        )}
      </div>
      {choice !== undefined && (
        <VoteDialog approval={approval} choice={choice} onClose={() => setChoice(undefined)} />
      )}
    </>
  );
}

function useFacts(approval: Approval): Fact[] {
  const { t, time } = useLook();
  const nameOf = useNames();
  const { id, may } = useOperator();
  const duration = useDuration();
  const leftMs = Date.parse(approval.expires_at) - useNow();
  const { data: control } = useQuery({ ...controlQuery, enabled: may('readControl') });
  const { ended_at: endedAt } = approval;
  const optional = (label: string, value: string | null): Fact[] =>
    value === null ? [] : [{ label, value }];
  return [
    {
      label: t('overview.act'),
      value: (
        <span className="text-value font-semibold">
          <Named area="act" name={approval.act} /> · <ActTarget target={approval.object} />
        </span>
      ),
    },
    {
      label: t('approvals.by'),
      value:
        approval.requester_id === id
          ? t('approvals.you')
          : t('approvals.operator', {
              id: approval.requester_id,
              role: nameOf('role', approval.requester_role),
            }),
    },
    ...optional(t('approvals.reason'), approval.reason),
    ...(approval.value === null
      ? []
      : [
          {
            label: t('approvals.value'),
            value: <Amount value={approval.value} unit={control?.currency} />,
          },
        ]),
    {
      label: t('approvals.votes'),
      value: t('approvals.votesOf', { given: approval.approvals, needed: approval.needed }),
    },
    ...(approval.state === 'pending'
      ? [
          {
            label: t('approvals.expires'),
            value: (
              <>
                {time(approval.expires_at, 'full')}{' '}
                <span className="text-quiet">
                  {leftMs > 0
                    ? t('approvals.in', { age: duration(leftMs) })
                    : t('approvals.expired')}
                </span>
              </>
            ),
          },
        ]
      : []),
    ...optional(t('approvals.ended'), endedAt && time(endedAt, 'full')),
  ];
}

function ShownPanel({ approval }: { approval: Approval }) {
  const { t } = useLook();
  const nameOf = useNames();
  const { personal, shown } = approval;
  return (
    <Panel title={t('approvals.read')} state={READY} className="flex-none">
      {(personal === 'sealed' || personal === 'erased') && (
        <p className="px-2 py-1 text-body text-warn">
          {t(personal === 'sealed' ? 'approvals.personalSealed' : 'approvals.personalErased')}
        </p>
      )}
      <Facts
        facts={shown.map(({ label, value }) => ({
          // Staking pools list their fields by name.
          label: /^[a-z_]+$/.test(label) ? nameOf('field', label) : label,
          value: <bdi dir="ltr">{value === '' ? '–' : value}</bdi>,
        }))}
      />
    </Panel>
  );
}

function VoteDialog({
  approval,
  choice,
  onClose,
}: {
  approval: Approval;
  choice: Choice;
  onClose(): void;
}) {
  const { t } = useLook();
  const [retyped, setRetyped] = useState('');
  const { act, id, object, payload_hash: hash } = approval;
  const needsRetype = choice === 'approve' && approval.retype;
  const word = choice === 'take-back' ? 'takeBack' : choice;
  const submit =
    choice === 'take-back'
      ? t('approvals.takeBack')
      : t(choice === 'approve' ? 'approvals.approve' : 'approvals.reject');
  return (
    <ActDialog
      title={t(`approvals.${word}Title`, { id })}
      submit={submit}
      isDanger={choice !== 'approve'}
      needsFactor={choice !== 'take-back'}
      onClose={onClose}
      act={({ otpCode }) =>
        choice === 'take-back'
          ? exchange.withdrawApproval({ id })
          : exchange.voteOnApproval({
              id,
              vote: choice,
              payload_hash: hash,
              otp_code: otpCode,
              ...(needsRetype ? { retyped: retyped.trim() } : {}),
            })
      }
    >
      <p className="text-body">{t(`approvals.${word}Text`, { act, object })}</p>
      {needsRetype && (
        <Field
          label={t('approvals.retype')}
          hint={t('approvals.retypeHint')}
          dir="ltr"
          required
          value={retyped}
          onChange={({ target }) => setRetyped(target.value)}
        />
      )}
    </ActDialog>
  );
}
