// Reveals personal data. Asks for fields, reason and second factor, then shows the values until the
// dialog closes or the exchange's time limit passes.

import { useState } from 'react';
import type { OperatorUser, RevealedUser, RevealIn } from '../../../client/index.ts';
import { Facts } from '../../forms/index.ts';
import { Checkbox, Dialog, Field } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useDuration, useNow } from '../health/use-health.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { textOf } from '../parts/value.ts';
import { useLook } from '../use-words.ts';

type RevealField = RevealIn['fields'][number];

const FIELDS: readonly RevealField[] = [
  'email',
  'username',
  'full_name',
  'phone_number',
  'dob',
  'nationality',
  'address',
  'id_data',
  'bank_account',
];

export function RevealDialog({ onClose, user }: { user: OperatorUser; onClose(): void }) {
  const { t } = useLook();
  const [fields, setFields] = useState<readonly RevealField[]>([]);
  const [ticket, setTicket] = useState('');
  const [revealed, setRevealed] = useState<RevealedUser>();
  const title = `${t('userAct.reveal')}: ${t('console.userNumber', { id: user.id })}`;
  if (revealed !== undefined) {
    return <Revealed title={title} revealed={revealed} fields={fields} onClose={onClose} />;
  }
  return (
    <ActDialog
      title={title}
      submit={t('userAct.reveal')}
      isDanger
      needsFactor
      reason="required"
      isDisabled={fields.length === 0}
      act={async ({ otpCode, reason }) => {
        const asked = { user_id: user.id, fields: [...fields], reason, ticket };
        const answer = await exchange.revealUser({ ...asked, otp_code: otpCode });
        setRevealed(answer);
        return answer;
      }}
      // While values are shown, only the operator closes the dialog.
      onDone={() => {}}
      onClose={onClose}
    >
      <p className="text-value">
        <bdi dir="ltr" className="font-semibold">
          {user.email}
        </bdi>
      </p>
      <p className="text-value">{t('userEffect.reveal')}</p>
      <fieldset className="grid grid-cols-2 gap-1">
        <legend className="pb-1 text-label text-quiet">{t('users.fields')}</legend>
        {FIELDS.map((field) => (
          <Checkbox
            key={field}
            label={t(`personal.${field as 'email'}`)}
            isOn={fields.includes(field)}
            onChange={(isOn) =>
              setFields(isOn ? [...fields, field] : fields.filter((one) => one !== field))
            }
          />
        ))}
      </fieldset>
      <Field
        label={t('users.ticket')}
        required
        maxLength={100}
        value={ticket}
        onChange={({ target }) => setTicket(target.value)}
      />
    </ActDialog>
  );
}

function Revealed({
  fields,
  onClose,
  revealed,
  title,
}: {
  title: string;
  revealed: RevealedUser;
  fields: readonly RevealField[];
  onClose(): void;
}) {
  const { t } = useLook();
  const duration = useDuration();
  const leftMs = Date.parse(revealed.expires_at) - useNow();
  const isOver = leftMs <= 0;
  const values = revealed.user as unknown as Readonly<Record<string, unknown>>;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p className="pb-2 text-body text-warn">
        {isOver ? t('users.revealOver') : t('users.revealLeft', { age: duration(leftMs) })}
      </p>
      {!isOver && (
        <Facts
          facts={fields.map((field) => ({
            label: t(`personal.${field as 'email'}`),
            value: <bdi>{textOf(values[field])}</bdi>,
          }))}
        />
      )}
    </Dialog>
  );
}
