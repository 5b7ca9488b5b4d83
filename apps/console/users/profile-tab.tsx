// A user's verification and notes: masked data, pending bank accounts, the operators' note, and who
// has revealed this user's data.

import { useState } from 'react';
import type { BankAccount, OperatorUser } from '../../../client/index.ts';
import { ActForm, Facts, Refusal, useAct } from '../../forms/index.ts';
import { Button, Panel, READY, showToast } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { textOf } from '../parts/value.ts';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';
import { RevealsPanel } from './reveals.tsx';

export function ProfileTab({ user }: { user: OperatorUser }) {
  const { may } = useOperator();
  return (
    <div className="grid gap-1 xl:grid-cols-2">
      <PersonalData user={user} />
      <div className="flex flex-col gap-1">
        <NotePanel key={user.note} user={user} />
        <Banks user={user} />
      </div>
      {may('readReveals') && <RevealsPanel user={user.id} />}
    </div>
  );
}

const PERSONAL = [
  'email',
  'username',
  'full_name',
  'phone_number',
  'dob',
  'nationality',
  'address',
  'id_data',
] as const;

function PersonalData({ user }: { user: OperatorUser }) {
  const { t } = useLook();
  const facts = PERSONAL.map((name) => ({
    label: t(`personal.${name}`),
    value: <bdi>{textOf(user[name])}</bdi>,
  }));
  return (
    <Panel title={t('users.personal')} state={READY}>
      <Facts facts={facts} />
      <p className="border-t border-line p-2 text-label text-quiet">{t('users.masked')}</p>
    </Panel>
  );
}

function NotePanel({ user }: { user: OperatorUser }) {
  const { t } = useLook();
  const { id: own, may } = useOperator();
  const [note, setNote] = useState(user.note);
  const save = useAct(async () => {
    await exchange.setUserNote({ user_id: user.id, note });
    showToast('done', t('users.noteSaved'));
  });
  const mayWrite = may('writeNote') && user.id !== own;
  return (
    <Panel title={t('users.note')} state={READY}>
      <ActForm onSubmit={() => save.run()} className="p-2">
        <label className="flex flex-col gap-1 text-label text-quiet">
          {t('users.noteHint')}
          <textarea
            dir="auto"
            rows={5}
            maxLength={10_000}
            readOnly={!mayWrite}
            value={note}
            onChange={({ target }) => setNote(target.value)}
            className="w-full rounded border border-edge bg-raised p-2 text-value text-text"
          />
        </label>
        <Refusal error={save.error} />
        {mayWrite && (
          <Button
            type="submit"
            className="self-end"
            isBusy={save.isBusy}
            disabled={note === user.note}
          >
            {t('users.saveNote')}
          </Button>
        )}
      </ActForm>
    </Panel>
  );
}

function isBank(value: unknown): value is BankAccount {
  return typeof value === 'object' && value !== null && 'id' in value && 'status' in value;
}

const WAITS = 1;

function Banks({ user }: { user: OperatorUser }) {
  const { t } = useLook();
  const { id: own, may } = useOperator();
  const nameOf = useNames();
  const [decided, setDecided] = useState<{ bank: BankAccount; isGood: boolean }>();
  const banks = user.bank_account.filter(isBank);
  return (
    <Panel
      title={t('users.banks')}
      dialogs={
        decided !== undefined && (
          <ActDialog
            title={t(decided.isGood ? 'users.verifyBank' : 'users.rejectBank')}
            submit={t(decided.isGood ? 'users.verifyBank' : 'users.rejectBank')}
            isDanger={!decided.isGood}
            {...(decided.isGood ? {} : { reason: 'required' as const })}
            act={({ reason }) => {
              const bank = { user_id: user.id, bank_id: decided.bank.id };
              return decided.isGood
                ? exchange.verifyBankAccount(bank)
                : exchange.revokeBankAccount({ ...bank, message: reason });
            }}
            onClose={() => setDecided(undefined)}
          >
            <p className="text-value">
              {t(decided.isGood ? 'users.verifyBankText' : 'users.rejectBankText', {
                user: user.id,
              })}
            </p>
          </ActDialog>
        )
      }
      state={banks.length === 0 ? { kind: 'empty', text: t('users.noBanks') } : READY}
    >
      <ul>
        {banks.map((bank) => (
          <li key={bank.id} className="flex flex-wrap items-center gap-2 border-b border-line p-2">
            <span className="min-w-0 flex-1 text-body">
              <bdi dir="ltr">{textOf({ ...bank, id: undefined, status: undefined })}</bdi>
              <span className="block text-label text-quiet">
                {nameOf('bankState', String(bank.status))}
              </span>
            </span>
            {bank.status === WAITS && user.id !== own && (
              <>
                {may('verifyBank') && (
                  <Button size="small" onClick={() => setDecided({ bank, isGood: true })}>
                    {t('users.verifyBank')}
                  </Button>
                )}
                {may('revokeBank') && (
                  <Button
                    size="small"
                    look="danger"
                    onClick={() => setDecided({ bank, isGood: false })}
                  >
                    {t('users.rejectBank')}
                  </Button>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
