// Dialog for an action on a user: its effect, whether it needs approval, and the reason, which is
// added to the note about the user.

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OperatorUser } from '../../../client/index.ts';
import { DecimalField, Field, Select } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog, type ActInput } from '../parts/act-dialog.tsx';
import { pendingId } from '../parts/pending.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { RevealDialog } from './reveal-dialog.tsx';
import { type actsOn, noteWith, type UserActName } from './user-view.ts';

type OfferedAct = ReturnType<typeof actsOn>[number];

interface DialogProps {
  readonly user: OperatorUser;
  readonly act: OfferedAct;
  onClose(): void;
}

export function UserActDialog(props: DialogProps) {
  const { act, user } = props;
  if (act.name === 'reveal') return <RevealDialog user={user} onClose={props.onClose} />;
  if (act.name === 'role') return <RoleDialog {...props} />;
  if (act.name === 'level') return <LevelDialog {...props} />;
  if (act.name === 'discount') return <DiscountDialog {...props} />;
  if (act.name === 'block') return <BlockDialog {...props} />;
  return <PlainDialog {...props} send={() => sendPlain(act.name, user.id)} />;
}

function sendPlain(name: UserActName, user: number): Promise<unknown> {
  const body = { user_id: user };
  if (name === 'freeze') return exchange.activateUser({ ...body, activated: false });
  if (name === 'unfreeze') return exchange.activateUser({ ...body, activated: true });
  if (name === 'unblock') return exchange.blockWithdrawals({ ...body, expiry_date: null });
  if (name === 'flag' || name === 'unflag') return exchange.flagUser(body);
  if (name === 'verifyEmail') return exchange.verifyEmailOfUser(body);
  if (name === 'resetFactors') return exchange.resetFactors(body);
  if (name === 'delete') return exchange.deleteUser(body);
  if (name === 'restore') return exchange.restoreUser(body);
  throw new Error(`The act ${name} has its own dialog`);
}

/** Sends the action, then adds its reason to the note about the user. */
function PlainDialog({
  act,
  children,
  needsFactor = false,
  onClose,
  send,
  user,
}: DialogProps & {
  send(input: ActInput): Promise<unknown>;
  children?: ReactNode;
  needsFactor?: boolean;
}) {
  const { t } = useLook();
  const { may } = useOperator();
  const hasNote = may('writeNote');
  return (
    <ActDialog
      title={`${t(`userAct.${act.name}`)}: ${t('console.userNumber', { id: user.id })}`}
      submit={t(`userAct.${act.name}`)}
      isDanger={act.isDanger}
      approvals={act.waits ? 1 : 0}
      needsFactor={needsFactor}
      {...(hasNote && { reason: 'required' as const })}
      act={async (input) => {
        const answer = await send(input);
        if (hasNote && input.reason !== '') {
          const name = pendingId(answer) === undefined ? act.name : `${act.name} (requested)`;
          const line = { at: new Date().toISOString(), act: name, reason: input.reason };
          await exchange.setUserNote({ user_id: user.id, note: noteWith(user.note, line) });
        }
        return answer;
      }}
      onClose={onClose}
    >
      <Effect act={act} user={user} />
      {children}
    </ActDialog>
  );
}

function Effect({ act, user }: Pick<DialogProps, 'act' | 'user'>) {
  const { t } = useLook();
  return (
    <div className="flex flex-col gap-1 text-value">
      <p>
        <bdi dir="ltr" className="font-semibold">
          {user.email}
        </bdi>
      </p>
      <p>{t(`userEffect.${act.name}`)}</p>
    </div>
  );
}

function BlockDialog(props: DialogProps) {
  const { t } = useLook();
  const [until, setUntil] = useState('');
  return (
    <PlainDialog
      {...props}
      send={() =>
        exchange.blockWithdrawals({
          user_id: props.user.id,
          expiry_date: new Date(until).toISOString(),
        })
      }
    >
      <Field
        label={t('users.blockUntil')}
        type="datetime-local"
        required
        value={until}
        onChange={({ target }) => setUntil(target.value)}
      />
    </PlainDialog>
  );
}

const LEVEL_MAX = 63;

function LevelDialog(props: DialogProps) {
  const { t } = useLook();
  const { data: tiers } = useQuery({
    queryKey: ['tiers'],
    queryFn: ({ signal }) => exchange.getTiers({ signal }),
  });
  const [level, setLevel] = useState(String(props.user.verification_level));
  const known = Object.entries(tiers ?? {}).filter(([id]) => Number(id) <= LEVEL_MAX);
  return (
    <PlainDialog
      {...props}
      send={() =>
        exchange.upgradeUser({ user_id: props.user.id, verification_level: Number(level) })
      }
    >
      <Select
        label={t('users.tier')}
        value={level}
        onValue={setLevel}
        choices={known.map(([id, tier]) => ({ value: id, label: `${id} · ${tier.name}` }))}
      />
    </PlainDialog>
  );
}

function DiscountDialog(props: DialogProps) {
  const { t } = useLook();
  const [discount, setDiscount] = useState(props.user.discount);
  return (
    <PlainDialog
      {...props}
      send={() => exchange.setUserDiscount({ user_id: props.user.id, discount })}
    >
      <DecimalField
        label={t('users.discount')}
        increment="0.01"
        after="%"
        required
        value={discount}
        onValue={setDiscount}
      />
    </PlainDialog>
  );
}

/** No role: a regular user account. */
const NO_ROLE = 'user';

function RoleDialog(props: DialogProps) {
  const { t } = useLook();
  const { data: roles } = useQuery({
    queryKey: ['private', 'roles'],
    queryFn: async ({ signal }) => (await exchange.getRoles({ signal })).data,
  });
  const [role, setRole] = useState(props.user.role ?? NO_ROLE);
  const names = [NO_ROLE, ...(roles ?? []).map(({ name }) => name)];
  return (
    <PlainDialog
      {...props}
      needsFactor
      send={({ otpCode }) =>
        exchange.setUserRole({ user_id: props.user.id, role, otp_code: otpCode })
      }
    >
      <Select
        label={t('users.role')}
        value={role}
        onValue={setRole}
        choices={[...new Set(names)]
          .filter((name) => name !== 'admin')
          .map((value) => ({ value, label: value === NO_ROLE ? t('users.noRole') : value }))}
      />
    </PlainDialog>
  );
}
