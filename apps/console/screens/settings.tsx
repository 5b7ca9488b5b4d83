// Settings of the exchange: its name and links, who can sign up, the withdrawal policy, and the
// referral program.

import { useQuery } from '@tanstack/react-query';
import { LOADING, Panel, stateOfError } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useOperator } from '../session.tsx';
import { IdentityPanel } from '../settings/identity-panel.tsx';
import { PolicyPanel } from '../settings/policy-panel.tsx';
import { ReferralPanel } from '../settings/referral-panel.tsx';
import { SignUpPanel } from '../settings/sign-up-panel.tsx';
import { useLook } from '../use-words.ts';

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  const kit = useQuery({
    queryKey: ['private', 'kit'],
    queryFn: async ({ signal }) => (await exchange.getOperatorKit({ signal })).kit,
  });
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.settings')}</h1>
      {kit.data === undefined ? (
        <Panel
          title={t('screen.settings')}
          state={kit.error === null ? LOADING : stateOfError(kit.error)}
          onRetry={() => void kit.refetch()}
        >
          {null}
        </Panel>
      ) : (
        <div className="grid items-start gap-1 xl:grid-cols-2">
          <IdentityPanel kit={kit.data} />
          <SignUpPanel kit={kit.data} />
          {may('readPolicy') && <PolicyPanel />}
          <ReferralPanel config={kit.data.referral_history_config} />
        </div>
      )}
    </div>
  );
}
