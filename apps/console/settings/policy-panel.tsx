// Values from which withdrawals need a review, and the dialog that changes them.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WithdrawalPolicy } from '../../../client/index.ts';
import { Facts } from '../../forms/index.ts';
import { Amount, Button, DecimalField, Panel, READY, stateOfError } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import {
  draftOf,
  POLICY_FIELDS,
  type PolicyDraft,
  type PolicyField,
  policyChange,
} from './policy-view.ts';

export function PolicyPanel() {
  const { t } = useLook();
  const { may } = useOperator();
  const [isOpen, setOpen] = useState(false);
  const policy = useQuery({
    queryKey: ['private', 'withdrawal policy'],
    queryFn: ({ signal }) => exchange.getWithdrawalPolicy({ signal }),
  });
  const { data, error } = policy;
  return (
    <Panel
      title={t('settings.policy')}
      state={
        data !== undefined ? READY : error === null ? { kind: 'loading' } : stateOfError(error)
      }
      onRetry={() => void policy.refetch()}
      after={
        may('setPolicy') &&
        data !== undefined && (
          <Button size="small" onClick={() => setOpen(true)}>
            {t('people.change')}
          </Button>
        )
      }
      dialogs={
        isOpen &&
        data !== undefined && <PolicyDialog policy={data} onClose={() => setOpen(false)} />
      }
    >
      <p className="px-2 pt-2 text-body text-quiet">{t('settings.policyText')}</p>
      {data !== undefined && (
        <Facts
          facts={POLICY_FIELDS.map((field) => ({
            label: t(`policy.${field.name}`),
            value: <Value field={field} policy={data} />,
          }))}
        />
      )}
    </Panel>
  );
}

function Value({ field, policy }: { field: PolicyField; policy: WithdrawalPolicy }) {
  const { t } = useLook();
  const value = String(policy[field.name]);
  if (field.kind === 'amount') return <Amount value={value} unit={policy.currency} />;
  return field.kind === 'hours' ? t('time.h', { count: value }) : <Amount value={value} />;
}

function PolicyDialog({ onClose, policy }: { policy: WithdrawalPolicy; onClose(): void }) {
  const { t } = useLook();
  const [draft, setDraft] = useState<PolicyDraft>(() => draftOf(policy));
  const change = policyChange(policy, draft);
  const unit = policy.currency.toUpperCase();
  return (
    <ActDialog
      title={t('settings.policy')}
      submit={t('control.save')}
      form="wide"
      isDisabled={change === undefined}
      {...(change !== undefined && { approvals: change.approvals })}
      onClose={onClose}
      act={() => exchange.setWithdrawalPolicy(change?.body ?? {})}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        {POLICY_FIELDS.map(({ kind, name }) => (
          <DecimalField
            key={name}
            label={t(`policy.${name}`)}
            hint={t(`policyHint.${name}`)}
            increment={kind === 'amount' ? '0.01' : '1'}
            {...(kind === 'amount' && { after: unit })}
            required
            value={draft[name]}
            onValue={(value) => setDraft({ ...draft, [name]: value })}
          />
        ))}
      </div>
    </ActDialog>
  );
}
