// API keys: list, create, change and revoke. This browser generates the key pair of a new key.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeySquare } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '../../../client/index.ts';
import { ActForm, Chip, CopyButton, DownloadButton, Facts, useAct } from '../../forms/index.ts';
import {
  Button,
  Checkbox,
  type Column,
  Dialog,
  Field,
  Panel,
  Segments,
  Select,
  stateOfList,
  useLook,
  WideTable,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { makeKeyPair } from './key-pair.ts';
import { addressesOf, expiryAfter } from './key-terms.ts';
import { MailCodeField, useProof } from './proof.tsx';
import { SessionRefusal } from './rows.tsx';
import { subAccountsQuery } from './sub-account-panel.tsx';

const KEYS_KEY = ['private', 'api-keys'];

export function KeysPanel() {
  const { t } = useLook();
  const [dialog, setDialog] = useState<'make' | { act: 'change' | 'revoke'; key: ApiKey }>();
  const query = useQuery({
    queryKey: KEYS_KEY,
    queryFn: async ({ signal }) => (await exchange.getApiKeys({}, { signal })).data,
  });
  const close = () => setDialog(undefined);
  const living = query.data?.filter(({ revoked }) => !revoked);
  return (
    <>
      <Panel
        title={t('keys.title')}
        state={stateOfList({ error: query.error, data: living }, t('keys.none'))}
        onRetry={() => void query.refetch()}
        after={
          <Button size="small" look="quiet" onClick={() => setDialog('make')}>
            <KeySquare size={14} aria-hidden="true" />
            {t('keys.make')}
          </Button>
        }
      >
        <KeyTable
          apiKeys={living ?? []}
          onChange={(key) => setDialog({ act: 'change', key })}
          onRevoke={(key) => setDialog({ act: 'revoke', key })}
        />
      </Panel>
      {dialog === 'make' && <MakeKey onClose={close} />}
      {typeof dialog === 'object' && dialog.act === 'change' && (
        <ChangeKey apiKey={dialog.key} onClose={close} />
      )}
      {typeof dialog === 'object' && dialog.act === 'revoke' && (
        <RevokeKey apiKey={dialog.key} onClose={close} />
      )}
    </>
  );
}

function useScopes(): (key: Pick<ApiKey, 'can_read' | 'can_trade' | 'can_withdraw'>) => string {
  const { t } = useLook();
  return ({ can_read, can_trade, can_withdraw }) =>
    [can_read && t('keys.read'), can_trade && t('keys.trade'), can_withdraw && t('keys.withdraw')]
      .filter((scope) => scope !== false)
      .join(' · ');
}

function KeyTable({
  apiKeys,
  onChange,
  onRevoke,
}: {
  apiKeys: readonly ApiKey[];
  onChange(key: ApiKey): void;
  onRevoke(key: ApiKey): void;
}) {
  const { t, time } = useLook();
  const scopes = useScopes();
  const columns: readonly Column<ApiKey>[] = [
    {
      key: 'name',
      label: t('people.name'),
      cell: ({ active, name }) => (
        <span className="flex items-center gap-2">
          <bdi>{name}</bdi>
          {!active && <Chip color="text-warn">{t('keys.suspended')}</Chip>}
        </span>
      ),
    },
    {
      key: 'kind',
      label: t('keys.kind'),
      isExtra: true,
      cell: ({ type }) => (type === 'ed25519' ? 'Ed25519' : 'HMAC'),
    },
    { key: 'scopes', label: t('keys.scopes'), cell: scopes },
    {
      key: 'addresses',
      label: t('keys.addresses'),
      isExtra: true,
      cell: ({ whitelisted_ips: ips, whitelisting_enabled }) =>
        whitelisting_enabled && ips.length > 0 ? (
          <bdi dir="ltr">{ips.length > 1 ? `${ips[0]} +${ips.length - 1}` : ips[0]}</bdi>
        ) : (
          t('keys.anyAddress')
        ),
    },
    {
      key: 'used',
      label: t('people.lastUsed'),
      isExtra: true,
      cell: ({ last_used_at }) => (last_used_at === null ? '–' : time(last_used_at, 'short')),
    },
    {
      key: 'until',
      label: t('sessions.until'),
      isExtra: true,
      cell: ({ expiry }) => time(expiry, 'full'),
    },
    {
      key: 'acts',
      label: <span className="sr-only">{t('people.change')}</span>,
      isNumber: true,
      cell: (key) => (
        <span className="inline-flex gap-1">
          <Button
            size="small"
            aria-label={`${t('people.change')}: ${key.name}`}
            onClick={() => onChange(key)}
          >
            {t('people.change')}
          </Button>
          <Button
            size="small"
            aria-label={`${t('keys.revoke')}: ${key.name}`}
            onClick={() => onRevoke(key)}
          >
            {t('keys.revoke')}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <WideTable
      caption={t('keys.title')}
      columns={columns}
      rows={apiKeys}
      keyOf={({ id }) => String(id)}
    />
  );
}

interface Shown {
  readonly name: string;
  readonly key: string;
  readonly secret: string;
}

const DAYS = ['30', '90', '365', '1800'] as const;

function MakeKey({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const proof = useProof();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'ed25519' | 'hmac'>('ed25519');
  const [days, setDays] = useState<(typeof DAYS)[number]>('90');
  const [addresses, setAddresses] = useState('');
  const [mailCode, setMailCode] = useState('');
  const [shown, setShown] = useState<Shown>();
  const { data: subs = [] } = useQuery(subAccountsQuery);
  const [sub, setSub] = useState('');
  const make = useAct(async () => {
    const otpCode = await proof.prove();
    const pair = kind === 'ed25519' ? await makeKeyPair() : undefined;
    const ips = addressesOf(addresses);
    const made = await exchange.createApiKey({
      name,
      otp_code: otpCode,
      email_code: mailCode,
      type: kind,
      expiry: expiryAfter(Number(days), Date.now()),
      ...(pair === undefined ? {} : { public_key: pair.publicKey }),
      ...(ips.length === 0 ? {} : { whitelisted_ips: ips }),
      ...(sub === '' ? {} : { subaccount_id: Number(sub) }),
    });
    setShown({ name, key: made.key, secret: pair?.privateKey ?? made.secret });
    await queries.invalidateQueries({ queryKey: KEYS_KEY });
  });
  if (shown !== undefined) return <NewKey shown={shown} onClose={onClose} />;
  return (
    <Dialog title={t('keys.make')} isOpen onClose={onClose}>
      <ActForm onSubmit={make.run}>
        <Field
          label={t('people.name')}
          required
          maxLength={64}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Segments
          label={t('keys.kind')}
          choices={[
            { value: 'ed25519', label: 'Ed25519' },
            { value: 'hmac', label: 'HMAC' },
          ]}
          value={kind}
          onValue={setKind}
        />
        <p className="text-label text-quiet">
          {t(kind === 'ed25519' ? 'keys.pairHint' : 'keys.secretHint')}
        </p>
        {subs.length > 0 && (
          <Select
            label={t('keys.for')}
            choices={[
              { value: '', label: t('keys.forMe') },
              ...subs.map(({ id, label }) => ({ value: String(id), label })),
            ]}
            value={sub}
            onValue={setSub}
          />
        )}
        <Select
          label={t('keys.lasts')}
          choices={DAYS.map((value) => ({ value, label: t('keys.days', { days: value }) }))}
          value={days}
          onValue={setDays}
        />
        <AddressesField value={addresses} onValue={setAddresses} />
        <MailCodeField value={mailCode} onValue={setMailCode} />
        {proof.view}
        <SessionRefusal error={make.error} />
        <Button type="submit" look="main" size="large" isBusy={make.isBusy}>
          {t('keys.make')}
        </Button>
        <p className="text-label text-quiet">{t('keys.readsOnly')}</p>
      </ActForm>
    </Dialog>
  );
}

function AddressesField({ onValue, value }: { value: string; onValue(value: string): void }) {
  const { t } = useLook();
  return (
    <Field
      label={t('keys.addresses')}
      hint={t('keys.addressesHint')}
      dir="ltr"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  );
}

/** Shows the key and its secret once. */
function NewKey({ onClose, shown }: { shown: Shown; onClose(): void }) {
  const { t } = useLook();
  return (
    <Dialog title={shown.name} isOpen onClose={onClose}>
      <div className="flex flex-col gap-3">
        <p className="text-body text-quiet">{t('keys.shownOnce')}</p>
        <Facts facts={[{ label: t('keys.key'), value: <code dir="ltr">{shown.key}</code> }]} />
        <pre
          dir="ltr"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long key must scroll by keyboard.
          tabIndex={0}
          className="overflow-x-auto rounded bg-raised p-3 font-mono text-label whitespace-pre-wrap break-all select-all"
        >
          {shown.secret}
        </pre>
        <div className="flex flex-wrap gap-2">
          <CopyButton label={t('keys.copySecret')} text={shown.secret} />
          <DownloadButton
            label={t('people.download')}
            name={`rialto-key-${shown.key.slice(0, 8)}.txt`}
            text={`api-key: ${shown.key}\n\n${shown.secret}\n`}
          />
        </div>
        <Button look="main" size="large" onClick={onClose}>
          {t('keys.done')}
        </Button>
      </div>
    </Dialog>
  );
}

function ChangeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const proof = useProof();
  const [scopes, setScopes] = useState({
    can_read: apiKey.can_read,
    can_trade: apiKey.can_trade,
    can_withdraw: apiKey.can_withdraw,
  });
  const [isBookOnly, setBookOnly] = useState(apiKey.book_only);
  const [addresses, setAddresses] = useState(apiKey.whitelisted_ips.join(', '));
  const [mailCode, setMailCode] = useState('');
  const save = useAct(async () => {
    await exchange.changeApiKey({
      token_id: apiKey.id,
      otp_code: await proof.prove(),
      email_code: mailCode,
      permissions: scopes,
      whitelisted_ips: addressesOf(addresses),
      book_only: isBookOnly,
      ...(apiKey.active ? {} : { active: true }),
    });
    await queries.invalidateQueries({ queryKey: KEYS_KEY });
    onClose();
  });
  const box = (scope: keyof typeof scopes, label: string) => (
    <Checkbox
      label={label}
      isOn={scopes[scope]}
      onChange={(isOn) => setScopes({ ...scopes, [scope]: isOn })}
    />
  );
  return (
    <Dialog title={`${t('people.change')}: ${apiKey.name}`} isOpen onClose={onClose}>
      <ActForm onSubmit={save.run}>
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-label text-quiet">{t('keys.scopes')}</legend>
          {box('can_read', t('keys.read'))}
          {box('can_trade', t('keys.trade'))}
          {box('can_withdraw', t('keys.withdraw'))}
          <Checkbox label={t('keys.bookOnly')} isOn={isBookOnly} onChange={setBookOnly} />
        </fieldset>
        <AddressesField value={addresses} onValue={setAddresses} />
        <MailCodeField value={mailCode} onValue={setMailCode} />
        {proof.view}
        <SessionRefusal error={save.error} />
        <Button type="submit" look="main" size="large" isBusy={save.isBusy}>
          {t(apiKey.active ? 'shell.save' : 'keys.enable')}
        </Button>
      </ActForm>
    </Dialog>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const proof = useProof();
  const [mailCode, setMailCode] = useState('');
  const revoke = useAct(async () => {
    await exchange.revokeApiKey({
      token_id: apiKey.id,
      otp_code: await proof.prove(),
      email_code: mailCode,
    });
    await queries.invalidateQueries({ queryKey: KEYS_KEY });
    onClose();
  });
  return (
    <Dialog title={`${t('keys.revoke')}: ${apiKey.name}`} isOpen onClose={onClose}>
      <ActForm onSubmit={revoke.run}>
        <p className="text-body">{t('keys.revokeText', { name: apiKey.name })}</p>
        <MailCodeField value={mailCode} onValue={setMailCode} />
        {proof.view}
        <SessionRefusal error={revoke.error} />
        <Button type="submit" look="danger" size="large" isBusy={revoke.isBusy}>
          {t('keys.revoke')}
        </Button>
      </ActForm>
    </Dialog>
  );
}
