// Dialogs of roles: create or edit one with its powers, its ceiling and its calls, remove one, and
// give one to a user.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../../client/index.ts';
import { isDecimal } from '../../decimals/index.ts';
import { Checkbox, DecimalField, Field, ScrollArea, Select } from '../../ui/index.ts';
import { controlQuery, exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useLook, useNames } from '../use-words.ts';
import { grantedBy, matrixOf, toggled } from './role-matrix.ts';

const NAME = /^[a-z][a-z0-9_-]{0,47}$/;
const CEILING_STEP = '0.01';

export function RoleDialog({
  endpoints,
  onClose,
  powers,
  role,
}: {
  /** Undefined for a new role. */
  role: Role | undefined;
  /** Everything that a role can have. */
  powers: readonly string[];
  endpoints: readonly string[];
  onClose(): void;
}) {
  const { t } = useLook();
  const nameOf = useNames();
  const { data: control } = useQuery(controlQuery);
  const [name, setName] = useState(role?.name ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [held, setHeld] = useState<readonly string[]>(role?.restrictions.powers ?? []);
  const [calls, setCalls] = useState<readonly string[]>(role?.permissions ?? []);
  const [ceiling, setCeiling] = useState(role?.restrictions.money_ceiling ?? '');
  const [filter, setFilter] = useState('');
  const content = {
    description: description.trim(),
    permissions: [...calls],
    restrictions: { powers: [...held], money_ceiling: ceiling === '' ? null : ceiling },
  };
  const gained = grantedBy(role, { permissions: calls, powers: held });
  const isNameValid = role !== undefined || NAME.test(name);
  return (
    <ActDialog
      title={role === undefined ? t('roles.new') : t('markets.editTitle', { name: role.name })}
      submit={t('control.save')}
      form="wide"
      needsFactor
      approvals={1}
      isDisabled={!isNameValid || (ceiling !== '' && !isDecimal(ceiling))}
      onClose={onClose}
      act={({ otpCode }) =>
        role === undefined
          ? exchange.createRole({ name, ...content, otp_code: otpCode })
          : exchange.changeRole({ id: role.id, ...content, otp_code: otpCode })
      }
    >
      <div className="grid gap-3 sm:grid-cols-2">
        {role === undefined && (
          <Field
            label={t('roles.name')}
            hint={t('roles.nameHint')}
            required
            dir="ltr"
            value={name}
            onChange={({ target }) => setName(target.value.trim().toLowerCase())}
          />
        )}
        <Field
          label={t('settings.description')}
          maxLength={500}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <DecimalField
          label={t('roles.ceiling')}
          hint={t('roles.ceilingHint')}
          increment={CEILING_STEP}
          after={control?.currency.toUpperCase()}
          value={ceiling}
          onValue={setCeiling}
        />
      </div>
      <fieldset>
        <legend className="pb-1 text-label text-quiet">{t('roles.permissions')}</legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {powers.map((power) => (
            <Checkbox
              key={power}
              label={nameOf('power', power)}
              isOn={held.includes(power)}
              onChange={() => setHeld(toggled(held, power))}
            />
          ))}
        </div>
      </fieldset>
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 text-label text-quiet">
          {t('roles.calls')} ({calls.length})
        </legend>
        <Field
          label={t('roles.filter')}
          dir="ltr"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <ScrollArea label={t('roles.calls')} className="max-h-72 rounded border border-line p-2">
          {matrixOf(endpoints, [{ permissions: [...calls] }], filter).map(({ area, rows }) => (
            <div key={area} className="grid gap-x-4 pb-2 sm:grid-cols-2">
              {rows.map(({ call, has: [isOn] }) => (
                <Checkbox
                  key={call}
                  label={<bdi dir="ltr">{call}</bdi>}
                  isOn={isOn}
                  onChange={() => setCalls(toggled(calls, call))}
                />
              ))}
            </div>
          ))}
        </ScrollArea>
      </fieldset>
      <p className="text-body text-quiet">
        {t(role === undefined ? 'roles.newText' : 'roles.changeText')}
      </p>
      {gained.length > 0 && (
        <p className="text-body text-warn">{t('roles.gains', { count: gained.length })}</p>
      )}
    </ActDialog>
  );
}

export function RemoveRoleDialog({ onClose, role }: { role: Role; onClose(): void }) {
  const { t } = useLook();
  return (
    <ActDialog
      title={t('roles.removeTitle', { name: role.name })}
      submit={t('control.remove')}
      isDanger
      needsFactor
      approvals={1}
      onClose={onClose}
      act={({ otpCode }) => exchange.removeRole({ id: role.id, otp_code: otpCode })}
    >
      <p className="text-body">{t('roles.removeText')}</p>
    </ActDialog>
  );
}

/** Gives a role to an existing user, who needs a second factor to use it. */
export function AddOperatorDialog({ onClose, roles }: { roles: readonly Role[]; onClose(): void }) {
  const { t } = useLook();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState(roles.find(({ name }) => name === 'support')?.name ?? '');
  return (
    <ActDialog
      title={t('roles.add')}
      submit={t('roles.add')}
      needsFactor
      approvals={1}
      isDisabled={role === '' || !email.includes('@')}
      onClose={onClose}
      act={async ({ otpCode }) => {
        const { data } = await exchange.getUsers({ search: email });
        const user =
          data.find((one) => one.email === email) ?? (data.length === 1 ? data[0] : null);
        if (user === null) throw new Error(t('roles.noUser'));
        return exchange.setUserRole({ user_id: user.id, role, otp_code: otpCode });
      }}
    >
      <p className="text-body text-quiet">{t('roles.addText')}</p>
      <Field
        label={t('people.email')}
        type="email"
        required
        dir="ltr"
        value={email}
        onChange={({ target }) => setEmail(target.value.trim().toLowerCase())}
      />
      <Select
        label={t('users.role')}
        value={role}
        onValue={setRole}
        choices={roles.map(({ name }) => ({ value: name, label: name }))}
      />
    </ActDialog>
  );
}
