// Surveillance rule: its parameters, a trial over the last days, and the change.

import { useState } from 'react';
import type { SurveillanceRule, SurveillanceTrial } from '../../../client/index.ts';
import { Refusal, useAct } from '../../forms/index.ts';
import { Button, Field, Toggle } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';
import { ruleChange } from './rule-change.ts';

const TRIAL_DAYS = 7;

export function RuleDialog({ onClose, rule }: { rule: SurveillanceRule; onClose(): void }) {
  const { t, time } = useLook();
  const nameOf = useNames();
  const { may } = useOperator();
  const [isOn, setOn] = useState(rule.is_on);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(Object.entries(rule.parameters).map(([name, one]) => [name, String(one)])),
  );
  const [trial, setTrial] = useState<SurveillanceTrial>();
  const { invalid, isChanged, isLooser, parameters } = ruleChange(rule, typed, isOn);
  const attempt = useAct(async () => {
    setTrial(
      await exchange.trySurveillanceRule(
        { rule: rule.rule, parameters, days: TRIAL_DAYS },
        { timeoutMs: 60_000 },
      ),
    );
  });
  return (
    <ActDialog
      title={t(`watch.rule.${rule.rule}`)}
      submit={t('watch.save')}
      {...(isChanged && ({ approvals: isLooser ? 1 : 0 } as const))}
      isDisabled={!may('setRule') || !isChanged || invalid.length > 0}
      act={() => exchange.setSurveillanceRule({ rule: rule.rule, is_on: isOn, parameters })}
      onClose={onClose}
    >
      <Toggle label={t('watch.isOn')} isOn={isOn} onChange={setOn} />
      <div className="grid grid-cols-2 gap-2">
        {rule.ranges.map(({ max, min, name }) => (
          <Field
            key={name}
            label={nameOf('watch.parameter', name)}
            dir="ltr"
            inputMode="decimal"
            value={typed[name] ?? ''}
            hint={<bdi dir="ltr">{`${min} – ${max}`}</bdi>}
            error={invalid.includes(name) ? t('watch.outside', { min, max }) : undefined}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          />
        ))}
      </div>
      {may('tryRule') && (
        <div className="flex flex-wrap items-center gap-2 text-body">
          <Button
            isBusy={attempt.isBusy}
            disabled={invalid.length > 0}
            onClick={() => attempt.run()}
          >
            {t('watch.tryDays', { days: TRIAL_DAYS })}
          </Button>
          <span role="status">
            {trial !== undefined &&
              t('watch.trial', {
                findings: trial.findings_count,
                users: trial.users_count,
                from: time(trial.from, 'short'),
              })}
          </span>
          <Refusal error={attempt.error} />
        </div>
      )}
    </ActDialog>
  );
}
