// The referral program, and the dialog that starts, changes and stops it.

import { useState } from 'react';
import { Facts } from '../../forms/index.ts';
import { Amount, Button, DecimalField, Field, Panel, READY, Toggle } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { UserLink } from '../parts/links.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { isReferralValid, type Referral, referralOf } from './kit-view.ts';

const ANY_STEP = '0.00000001';

export function ReferralPanel({ config }: { config: unknown }) {
  const { t } = useLook();
  const { may } = useOperator();
  const [isOpen, setOpen] = useState(false);
  const { currency, distributor, isOn, minimum, months, rate } = referralOf(config);
  return (
    <Panel
      title={t('settings.referral')}
      state={READY}
      after={
        may('setReferral') && (
          <Button size="small" onClick={() => setOpen(true)}>
            {t('people.change')}
          </Button>
        )
      }
      dialogs={isOpen && <ReferralDialog now={referralOf(config)} onClose={() => setOpen(false)} />}
    >
      <Facts
        facts={[
          { label: t('health.state'), value: t(isOn ? 'settings.on' : 'settings.off') },
          ...(isOn
            ? [
                { label: t('referral.rate'), value: `${rate}%` },
                {
                  label: t('referral.minimum'),
                  value: <Amount value={minimum} unit={currency} />,
                },
                {
                  label: t('referral.months'),
                  value: months === '0' ? t('referral.noEnd') : months,
                },
                {
                  label: t('referral.distributor'),
                  value: <UserLink id={Number(distributor)} />,
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

function ReferralDialog({ now, onClose }: { now: Referral; onClose(): void }) {
  const { t } = useLook();
  const [referral, setReferral] = useState(now);
  const set = (change: Partial<Referral>) => setReferral({ ...referral, ...change });
  const { currency, distributor, isOn, minimum, months, rate } = referral;
  return (
    <ActDialog
      title={t('settings.referral')}
      submit={t('control.save')}
      approvals={isOn ? 1 : 0}
      isDisabled={!isReferralValid(referral)}
      onClose={onClose}
      act={() =>
        exchange.setReferralProgram(
          isOn
            ? {
                active: true,
                currency,
                earning_rate: Number(rate),
                minimum_amount: minimum,
                earning_period: Number(months),
                distributor_id: Number(distributor),
              }
            : { active: false },
        )
      }
    >
      <p className="text-body text-quiet">{t('referral.text')}</p>
      <Toggle label={t('settings.on')} isOn={isOn} onChange={(next) => set({ isOn: next })} />
      {isOn && (
        <>
          <Field
            label={t('referral.currency')}
            dir="ltr"
            value={currency}
            onChange={({ target }) => set({ currency: target.value.trim().toLowerCase() })}
          />
          <DecimalField
            label={t('referral.rate')}
            hint={t('referral.rateHint')}
            increment="1"
            after="%"
            value={rate}
            onValue={(next) => set({ rate: next })}
          />
          <DecimalField
            label={t('referral.minimum')}
            increment={ANY_STEP}
            after={currency.toUpperCase()}
            value={minimum}
            onValue={(next) => set({ minimum: next })}
          />
          <DecimalField
            label={t('referral.months')}
            hint={t('referral.monthsHint')}
            increment="1"
            value={months}
            onValue={(next) => set({ months: next })}
          />
          <Field
            label={t('referral.distributor')}
            hint={t('referral.distributorHint')}
            inputMode="numeric"
            dir="ltr"
            required
            value={distributor}
            onChange={({ target }) => set({ distributor: target.value.trim() })}
          />
        </>
      )}
    </ActDialog>
  );
}
