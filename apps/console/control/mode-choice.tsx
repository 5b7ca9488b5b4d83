// Choice of the control mode: both modes in three sentences each, and the dialogs that change the
// mode.

import { useId, useState } from 'react';
import type { Control } from '../../../client/index.ts';
import { ActForm, Chip, Refusal, useAct } from '../../forms/index.ts';
import { Button, showToast } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useLook } from '../use-words.ts';
import { isTeamPossible, MODES, type Mode } from './control-view.ts';

const SENTENCES = [1, 2, 3] as const;

/** First choice, made by the first administrator. Solo is preselected. */
export function ModeChoice({ control, onDone }: { control: Control; onDone(): void }) {
  const { t } = useLook();
  const [mode, setMode] = useState<Mode>('solo');
  const choose = useAct(async () => {
    await exchange.changeControlMode({ mode });
    showToast('done', t('console.done'), t(`control.${mode}`));
    onDone();
  });
  return (
    <ActForm onSubmit={choose.run}>
      <p className="text-body text-quiet">{t('control.chooseText')}</p>
      <fieldset className="grid gap-2 md:grid-cols-2">
        <legend className="sr-only">{t('control.choose')}</legend>
        {MODES.map((one) => (
          <ModeCard
            key={one}
            mode={one}
            control={control}
            isChosen={one === mode}
            onChoose={() => setMode(one)}
          />
        ))}
      </fieldset>
      <Refusal error={choose.error} />
      <div className="flex justify-end">
        <Button type="submit" look="main" isBusy={choose.isBusy}>
          {t(mode === 'solo' ? 'control.useSolo' : 'control.useTeam')}
        </Button>
      </div>
    </ActForm>
  );
}

function ModeCard({
  control,
  isChosen,
  mode,
  onChoose,
}: {
  mode: Mode;
  control: Control;
  isChosen: boolean;
  onChoose(): void;
}) {
  const { t } = useLook();
  const id = useId();
  const canTeam = isTeamPossible(control);
  const isDisabled = mode === 'team' && !canTeam;
  return (
    <label
      htmlFor={id}
      className="flex gap-2 rounded border border-line p-3 has-checked:border-accent has-checked:bg-raised"
    >
      <input
        id={id}
        type="radio"
        name="mode"
        className="mt-0.5 size-3.5 flex-none accent-accent"
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
      />
      <span className="flex flex-col gap-1.5 text-body">
        <span className="flex items-center gap-2 font-semibold">
          {t(`control.${mode}`)}
          {mode === 'team' && canTeam && (
            <Chip color="text-accent">{t('control.recommended')}</Chip>
          )}
        </span>
        <ModeText mode={mode} />
        {isDisabled && (
          <span className="text-label text-quiet">
            {t('control.teamNeeds', { count: control.administrators })}
          </span>
        )}
      </span>
    </label>
  );
}

export function ModeText({ mode }: { mode: Mode }) {
  const { t } = useLook();
  return SENTENCES.map((at) => (
    <span key={at} className="text-quiet">
      {t(`control.${mode}.${at}`)}
    </span>
  ));
}

/** Solo takes effect 24 hours after approval, team immediately. */
export function ModeDialog({ mode, onClose }: { mode: Mode; onClose(): void }) {
  const { t } = useLook();
  const isTeam = mode === 'team';
  return (
    <ActDialog
      title={t(isTeam ? 'control.toTeam' : 'control.toSolo')}
      submit={t(isTeam ? 'control.toTeam' : 'control.toSolo')}
      isDanger={!isTeam}
      act={() => exchange.changeControlMode({ mode })}
      onClose={onClose}
    >
      <p className="text-body">{t(isTeam ? 'control.toTeamText' : 'control.toSoloText')}</p>
      <div className="flex flex-col gap-1.5 text-body">
        <ModeText mode={mode} />
      </div>
    </ActDialog>
  );
}

export function CancelSoloDialog({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  return (
    <ActDialog
      title={t('control.cancelSolo')}
      submit={t('control.cancelSolo')}
      act={() => exchange.changeControlMode({ mode: 'team' })}
      onClose={onClose}
    >
      <p className="text-body">{t('control.cancelSoloText')}</p>
    </ActDialog>
  );
}
