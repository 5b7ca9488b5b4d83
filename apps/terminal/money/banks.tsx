// Bank accounts: added by the user, verified by an operator. Fiat goes only to a verified one.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { BankAccount } from '../../../client/index.ts';
import { ActForm, Chip, Refusal, useAct } from '../../forms/index.ts';
import {
  Button,
  type Column,
  Dialog,
  Field,
  Panel,
  Select,
  stateOfList,
  Table,
  useLook,
  type Word,
} from '../../ui/index.ts';
import { exchange, userQuery } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { type BankField, bankKinds, bankName } from './bank-fields.ts';
import { kitQuery } from './queries.ts';

const STATUSES: readonly (readonly [word: Word, color: string])[] = [
  ['bank.unverified', 'text-quiet'],
  ['bank.pending', 'text-warn'],
  ['bank.rejected', 'text-down'],
  ['bank.verified', 'text-up'],
];

export function BanksPanel() {
  const { t } = useLook();
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const banks = user?.bank_account as BankAccount[] | undefined;
  return (
    <>
      <Panel
        title={t('bank.title')}
        state={stateOfList({ error: null, data: banks }, t('bank.none'))}
        after={
          <Button size="small" look="quiet" onClick={() => setOpen(true)}>
            <Plus size={14} aria-hidden="true" />
            {t('bank.add')}
          </Button>
        }
      >
        <BankTable banks={banks ?? []} />
      </Panel>
      {isOpen && <AddBank onClose={() => setOpen(false)} />}
    </>
  );
}

function BankTable({ banks }: { banks: readonly BankAccount[] }) {
  const { t } = useLook();
  const columns: readonly Column<BankAccount>[] = [
    {
      key: 'name',
      label: t('wallet.bank'),
      cell: (bank) => (
        <span className="whitespace-normal">
          {bank.type !== undefined && <span className="text-quiet">{bank.type} </span>}
          <bdi>{bankName(bank)}</bdi>
          {bank.message !== undefined && <span className="block text-down">{bank.message}</span>}
        </span>
      ),
    },
    {
      key: 'status',
      label: t('wallet.state'),
      isNumber: true,
      cell: ({ status }) => {
        const [word, color] = STATUSES[status] ?? STATUSES[0];
        return <Chip color={color}>{t(word)}</Chip>;
      },
    },
  ];
  return <Table caption={t('bank.title')} columns={columns} rows={banks} keyOf={({ id }) => id} />;
}

function AddBank({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const { data: kit } = useQuery(kitQuery);
  const kinds = kit === undefined ? [] : bankKinds(kit.user_payments);
  const [chosen, setType] = useState('');
  const kind = kinds.find(({ type }) => type === chosen) ?? kinds[0];
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const add = useAct(async () => {
    const fields = kind.fields.map(({ key }) => [key, texts[key] ?? '']);
    const type = kind.type === '' ? {} : { type: kind.type };
    await exchange.addBankAccount({ ...type, ...Object.fromEntries(fields) });
    await queries.invalidateQueries({ queryKey: userQuery.queryKey });
    onClose();
  });
  return (
    <Dialog title={t('bank.add')} isOpen onClose={onClose}>
      {kind === undefined ? (
        <span className="skeleton block h-40" />
      ) : (
        <ActForm onSubmit={add.run}>
          {kinds.length > 1 && (
            <Select
              label={t('bank.kind')}
              value={kind.type}
              onValue={setType}
              choices={kinds.map(({ type }) => ({ value: type, label: type }))}
            />
          )}
          {kind.fields.map((field) => (
            <BankText
              key={field.key}
              field={field}
              value={texts[field.key] ?? ''}
              onValue={(text) => setTexts({ ...texts, [field.key]: text })}
            />
          ))}
          <p className="text-label text-quiet">{t('bank.waits')}</p>
          <Refusal error={add.error} />
          <Button type="submit" look="main" size="large" isBusy={add.isBusy}>
            {t('bank.add')}
          </Button>
        </ActForm>
      )}
    </Dialog>
  );
}

const USUAL: Readonly<Record<string, Word>> = {
  bank_name: 'bank.bank_name',
  account_name: 'bank.account_name',
  account_number: 'bank.account_number',
};

function BankText({
  field,
  onValue,
  value,
}: {
  field: BankField;
  value: string;
  onValue(text: string): void;
}) {
  const { t } = useLook();
  const word = USUAL[field.key];
  return (
    <Field
      label={field.label === '' && word !== undefined ? t(word) : field.label || field.key}
      required={field.isRequired}
      maxLength={256}
      spellCheck={false}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  );
}
