// Who can sign up, and the dialog that changes it.

import { useState } from 'react';
import { Facts } from '../../forms/index.ts';
import { Button, Panel, READY, Select } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { SIGN_UP_KIT, type SignUp, signUpOf } from './kit-view.ts';

const CHOICES = ['open', 'invitation', 'closed'] as const satisfies readonly SignUp[];

export function SignUpPanel({ kit }: { kit: Parameters<typeof signUpOf>[0] }) {
  const { t } = useLook();
  const { may } = useOperator();
  const [isOpen, setOpen] = useState(false);
  const now = signUpOf(kit);
  return (
    <Panel
      title={t('settings.signUp')}
      state={READY}
      after={
        may('changeKit') && (
          <Button size="small" onClick={() => setOpen(true)}>
            {t('people.change')}
          </Button>
        )
      }
      dialogs={isOpen && <SignUpDialog now={now} onClose={() => setOpen(false)} />}
    >
      <Facts facts={[{ label: t('settings.whoSignsUp'), value: t(`signUpMode.${now}`) }]} />
      <p className="px-2 pb-2 text-label text-quiet">{t(`signUpText.${now}`)}</p>
    </Panel>
  );
}

function SignUpDialog({ now, onClose }: { now: SignUp; onClose(): void }) {
  const { t } = useLook();
  const [mode, setMode] = useState<SignUp>(now);
  return (
    <ActDialog
      title={t('settings.signUp')}
      submit={t('control.save')}
      approvals={0}
      isDisabled={mode === now}
      onClose={onClose}
      act={() => exchange.changeKit({ kit: SIGN_UP_KIT[mode] })}
    >
      <Select
        label={t('settings.whoSignsUp')}
        value={mode}
        onValue={setMode}
        choices={CHOICES.map((value) => ({ value, label: t(`signUpMode.${value}`) }))}
      />
      <p className="text-body text-quiet">{t(`signUpText.${mode}`)}</p>
    </ActDialog>
  );
}
