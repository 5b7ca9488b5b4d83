// Setup of a new exchange: the steps to the first trade, each with its state, and what is still
// unsafe.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Timeline } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import { Button, Panel, READY } from '../../ui/index.ts';
import { ModeChoice } from '../control/mode-choice.tsx';
import { controlQuery, exchange, workQuery } from '../exchange.ts';
import { useHealth } from '../health/use-health.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { IdentityDialog } from '../settings/identity-panel.tsx';
import { identityOf } from '../settings/kit-view.ts';
import { AssetsDialog } from '../setup/assets-dialog.tsx';
import { MarketsDialog } from '../setup/markets-dialog.tsx';
import { isDone, type Risk, risksOf, STEPS, type Step } from '../setup/setup-view.ts';
import { useLook } from '../use-words.ts';

const EVERY_MS = 3_000;

/** Screens where the operator removes the risk. */
const SCREEN_OF_RISK: Readonly<Record<Risk, string>> = {
  noHealth: '/system',
  alarms: '/system',
  noBackup: '/system',
  noRestore: '/system',
  oneAdministrator: '/roles',
  solo: '/control',
  noSupport: '/settings',
};

export function Screen() {
  const { t } = useLook();
  const { id } = useOperator();
  const [asked, setAsked] = useState<Step | 'finish'>();
  const [isTesting, setTesting] = useState(false);
  const { data: work, refetch: refetchWork } = useQuery(workQuery);
  const { data: control } = useQuery(controlQuery);
  const { health } = useHealth();
  const { data: kit } = useQuery({
    queryKey: ['private', 'kit'],
    queryFn: async ({ signal }) => (await exchange.getOperatorKit({ signal })).kit,
  });
  const { data: coins = [] } = useQuery({
    queryKey: ['private', 'coins'],
    queryFn: async ({ signal }) => (await exchange.getCoins({}, { signal })).data,
    refetchInterval: EVERY_MS,
  });
  const { data: pairs = [] } = useQuery({
    queryKey: ['private', 'pairs'],
    queryFn: async ({ signal }) => (await exchange.getPairs({}, { signal })).data,
    refetchInterval: EVERY_MS,
  });
  const { data: mails } = useQuery({
    queryKey: ['private', 'timeline', id, 'mail'],
    queryFn: ({ signal }) =>
      exchange.getTimeline({ user_id: id, types: ['mail'], limit: 20 }, { signal }),
    // Each call counts as a look-up, so it repeats only while a test email is on its way.
    refetchInterval: ({ state }) => (isTesting && !hasSent(state.data) ? EVERY_MS : false),
  });
  const close = () => setAsked(undefined);
  const facts = {
    isModeChosen: work?.is_mode_chosen ?? false,
    title: kit?.title ?? 'Rialto',
    mailsSent: hasSent(mails),
    coins,
    pairs,
  };
  const listed = pairs.map(({ name }) => name);
  const risks =
    kit === undefined
      ? []
      : risksOf({ control, health, supportLink: identityOf(kit).links.support });
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.setup')}</h1>
      <Panel
        title={t('setup.steps.title')}
        state={READY}
        after={
          <Button size="small" onClick={() => setAsked('finish')}>
            {t('setup.finish')}
          </Button>
        }
      >
        <p className="px-3 pt-3 text-body text-quiet">{t('setup.text')}</p>
        <ol>
          <StepLine number={1} title={t('setup.step.administrator')} isDone />
          {STEPS.map((step, at) => (
            <StepLine
              key={step}
              number={at + 2}
              title={t(`setup.step.${step}`)}
              text={t(`setup.stepText.${step}`)}
              isDone={isDone(step, facts)}
            >
              {step === 'mode' && facts.isModeChosen ? (
                <Link to="/control" className="text-accent hover:underline">
                  {t('control.open')}
                </Link>
              ) : (
                <Button size="small" onClick={() => setAsked(step)}>
                  {t(`setup.do.${step}`)}
                </Button>
              )}
            </StepLine>
          ))}
        </ol>
        {asked === 'mode' && control !== undefined && (
          <div className="border-t border-line p-3">
            <ModeChoice
              control={control}
              onDone={() => {
                close();
                void refetchWork();
              }}
            />
          </div>
        )}
      </Panel>
      <Panel title={t('setup.risks')} state={READY}>
        {risks.length === 0 ? (
          <p className="px-3 py-3 text-body text-up">✓ {t('setup.noRisks')}</p>
        ) : (
          <ul>
            {risks.map((risk) => (
              <li
                key={risk}
                className="flex flex-wrap items-center gap-3 border-b border-line px-3 py-2 text-body last:border-b-0"
              >
                <span className="text-warn">▲</span>
                <span className="flex-1">{t(`risk.${risk}`)}</span>
                <Link to={SCREEN_OF_RISK[risk]} className="text-accent hover:underline">
                  {t('console.open')}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {asked === 'name' && kit !== undefined && <IdentityDialog kit={kit} onClose={close} />}
      {asked === 'mail' && <TestMailDialog onSent={() => setTesting(true)} onClose={close} />}
      {asked === 'assets' && (
        <AssetsDialog
          currency={control?.currency ?? 'usdt'}
          listed={coins.map(({ symbol }) => symbol)}
          onClose={close}
        />
      )}
      {asked === 'markets' && <MarketsDialog coins={coins} listed={listed} onClose={close} />}
      {asked === 'finish' && (
        <ActDialog
          title={t('setup.finish')}
          submit={t('setup.finish')}
          approvals={0}
          onClose={close}
          act={() => exchange.completeSetup()}
        >
          <p className="text-body">{t('setup.finishText')}</p>
        </ActDialog>
      )}
    </div>
  );
}

function StepLine({
  children,
  isDone: isTrue,
  number,
  text,
  title,
}: {
  number: number;
  title: string;
  text?: string;
  isDone: boolean;
  children?: ReactNode;
}) {
  const { t } = useLook();
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line px-3 py-2 text-body last:border-b-0">
      <span className={isTrue ? 'text-up' : 'text-quiet'} aria-hidden="true">
        {isTrue ? '✓' : '○'}
      </span>
      <span className="min-w-48 flex-1">
        <span className="font-semibold">
          {number}. {title}
        </span>
        {text !== undefined && <span className="block text-label text-quiet">{text}</span>}
      </span>
      <Chip color={isTrue ? 'text-up' : 'text-warn'}>
        {t(isTrue ? 'setup.done' : 'setup.notDone')}
      </Chip>
      {children}
    </li>
  );
}

function hasSent(mails: Timeline | undefined): boolean {
  return mails?.data.some(({ details }) => details.state === 'sent') ?? false;
}

function TestMailDialog({ onClose, onSent }: { onClose(): void; onSent(): void }) {
  const { t } = useLook();
  const { email, id } = useOperator();
  return (
    <ActDialog
      title={t('setup.do.mail')}
      submit={t('setup.sendTo', { email })}
      onClose={onClose}
      act={async () => {
        const answer = await exchange.sendMail({ user_id: id, mail_type: 'welcome', data: {} });
        onSent();
        return answer;
      }}
    >
      <p className="text-body">{t('setup.mailText')}</p>
    </ActDialog>
  );
}
