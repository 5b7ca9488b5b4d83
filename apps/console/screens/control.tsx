// Control mode, its thresholds, a pending change, and the grants to API keys.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Control } from '../../../client/index.ts';
import { Chip, Facts, Line } from '../../forms/index.ts';
import { Amount, Button, DecimalField, Panel, READY, stateOfError } from '../../ui/index.ts';
import { isTeamPossible } from '../control/control-view.ts';
import { KeyGrantsPanel } from '../control/key-grants.tsx';
import { CancelSoloDialog, ModeDialog, ModeText } from '../control/mode-choice.tsx';
import { controlQuery, exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

const EVERY_MS = 10_000;
const INCREMENT = '0.01';

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  const control = useQuery({ ...controlQuery, refetchInterval: EVERY_MS });
  const { data, error } = control;
  const state =
    data !== undefined
      ? READY
      : error === null
        ? ({ kind: 'loading' } as const)
        : stateOfError(error);
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.control')}</h1>
      <div className="grid gap-1 xl:grid-cols-2">
        <Panel title={t('control.mode')} state={state} onRetry={() => void control.refetch()}>
          {data !== undefined && <ModeState control={data} />}
        </Panel>
        <ThresholdsPanel control={data} state={state} />
      </div>
      {may('readGrants') && data !== undefined && <KeyGrantsPanel currency={data.currency} />}
    </div>
  );
}

function ModeState({ control }: { control: Control }) {
  const { t, time } = useLook();
  const { may } = useOperator();
  const [asked, setAsked] = useState<'solo' | 'team' | 'cancel'>();
  const { administrators, mode, solo_from: soloFrom } = control;
  const other = mode === 'solo' ? 'team' : 'solo';
  const close = () => setAsked(undefined);
  const canChange = may('changeMode') && soloFrom === null;
  return (
    <div className="flex flex-col gap-2 p-3 text-body">
      <p className="flex items-center gap-2 text-value font-semibold">
        {t(`control.${mode}`)}
        {mode === 'solo' && isTeamPossible(control) && (
          <Chip color="text-accent">{t('control.teamRecommended')}</Chip>
        )}
      </p>
      <ModeText mode={mode} />
      <p className="text-quiet">{t('control.administrators', { count: administrators })}</p>
      {soloFrom !== null && (
        <div className="rounded border border-warn">
          <Line
            act={
              may('cancelSolo') && (
                <Button onClick={() => setAsked('cancel')}>{t('control.cancelSolo')}</Button>
              )
            }
          >
            <span className="text-warn">
              {t('control.soloFrom', { time: time(soloFrom, 'full') })}
            </span>
          </Line>
        </div>
      )}
      {canChange && (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            disabled={other === 'team' && !isTeamPossible(control)}
            onClick={() => setAsked(other)}
          >
            {t(other === 'team' ? 'control.toTeam' : 'control.toSolo')}
          </Button>
          {other === 'team' && !isTeamPossible(control) && (
            <span className="text-label text-quiet">
              {t('control.teamNeeds', { count: administrators })}
            </span>
          )}
        </div>
      )}
      {asked === 'cancel' && <CancelSoloDialog onClose={close} />}
      {(asked === 'solo' || asked === 'team') && <ModeDialog mode={asked} onClose={close} />}
    </div>
  );
}

function ThresholdsPanel({
  control,
  state,
}: {
  control: Control | undefined;
  state: Parameters<typeof Panel>[0]['state'];
}) {
  const { t } = useLook();
  const { may } = useOperator();
  const [isOpen, setOpen] = useState(false);
  const unit = control?.currency;
  return (
    <Panel
      title={t('control.thresholds')}
      state={state}
      skeletonRows={3}
      after={
        may('changeThresholds') &&
        control !== undefined && (
          <Button size="small" onClick={() => setOpen(true)}>
            {t('people.change')}
          </Button>
        )
      }
      dialogs={
        isOpen &&
        control !== undefined && (
          <ThresholdsDialog control={control} onClose={() => setOpen(false)} />
        )
      }
    >
      <Facts
        facts={[
          {
            label: t('control.oneFrom'),
            value: <Amount value={control?.one_approval_from} unit={unit} />,
          },
          {
            label: t('control.twoFrom'),
            value: <Amount value={control?.two_approvals_from} unit={unit} />,
          },
          {
            label: t('control.notifyFrom'),
            value: <Amount value={control?.notify_from} unit={unit} />,
          },
        ]}
      />
      <p className="p-2 text-label text-quiet">{t('control.thresholdsText')}</p>
    </Panel>
  );
}

function ThresholdsDialog({ control, onClose }: { control: Control; onClose(): void }) {
  const { t } = useLook();
  const [one, setOne] = useState(control.one_approval_from);
  const [two, setTwo] = useState(control.two_approvals_from);
  const [notify, setNotify] = useState(control.notify_from);
  const field = { increment: INCREMENT, required: true, after: control.currency.toUpperCase() };
  return (
    <ActDialog
      title={t('control.changeThresholds')}
      submit={t('control.save')}
      act={() =>
        exchange.changeThresholds({
          one_approval_from: one,
          two_approvals_from: two,
          notify_from: notify,
        })
      }
      onClose={onClose}
    >
      <DecimalField label={t('control.oneFrom')} value={one} onValue={setOne} {...field} />
      <DecimalField label={t('control.twoFrom')} value={two} onValue={setTwo} {...field} />
      <DecimalField label={t('control.notifyFrom')} value={notify} onValue={setNotify} {...field} />
    </ActDialog>
  );
}
