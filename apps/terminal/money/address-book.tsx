// Address book: allowed withdrawal destinations, and the option to allow no others. A new address
// is delayed for a day and needs the second factor; removing one takes effect immediately.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AddressBook, AddressBookEntryIn } from '../../../client/index.ts';
import { ActForm, Refusal, useAct } from '../../forms/index.ts';
import {
  Button,
  type Column,
  Dialog,
  Field,
  Panel,
  READY,
  Select,
  stateOfError,
  stateOfList,
  Table,
  Toggle,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { otpField, useProof } from '../people/proof.tsx';
import { ProofDialog, SessionRefusal } from '../people/rows.tsx';
import {
  type BookEntry,
  BY_EMAIL,
  bookNetworks,
  withEntry,
  withLabel,
  withoutEntry,
} from './book-changes.ts';
import { addressBookQuery } from './queries.ts';

type Asked = 'add' | 'only' | { readonly act: 'rename' | 'remove'; readonly entry: BookEntry };

export function AddressBookPanel() {
  const { t } = useLook();
  const query = useQuery(addressBookQuery);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const book = query.data;
  const state =
    query.error !== null
      ? stateOfError(query.error)
      : book === undefined
        ? ({ kind: 'loading' } as const)
        : READY;
  const list = stateOfList({ error: null, data: book?.addresses }, t('book.none'));
  return (
    <Panel
      title={t('wallet.book')}
      state={state}
      onRetry={() => void query.refetch()}
      after={
        <Button size="small" look="quiet" onClick={() => setAsked('add')}>
          <Plus size={14} aria-hidden="true" />
          {t('book.add')}
        </Button>
      }
    >
      {book !== undefined && <OnlyTheBook book={book} onEnd={() => setAsked('only')} />}
      <Panel title={t('wallet.book')} isTitleHidden state={list}>
        <BookTable
          entries={book?.addresses ?? []}
          onRename={(entry) => setAsked({ act: 'rename', entry })}
          onRemove={(entry) => setAsked({ act: 'remove', entry })}
        />
      </Panel>
      {book !== undefined && asked === 'add' && <AddAddress book={book} onClose={close} />}
      {asked === 'only' && <EndOnlyTheBook onClose={close} />}
      {book !== undefined && typeof asked === 'object' && asked.act === 'rename' && (
        <RenameAddress book={book} entry={asked.entry} onClose={close} />
      )}
      {book !== undefined && typeof asked === 'object' && asked.act === 'remove' && (
        <RemoveAddress book={book} entry={asked.entry} onClose={close} />
      )}
    </Panel>
  );
}

/** Stores the response, which is the new book. */
function useKeepBook(): (book: AddressBook) => void {
  const queries = useQueryClient();
  return (book) => queries.setQueryData(addressBookQuery.queryKey, book);
}

function OnlyTheBook({ book, onEnd }: { book: AddressBook; onEnd(): void }) {
  const { t, time } = useLook();
  const keep = useKeepBook();
  const start = useAct(async () => keep(await exchange.setBookOnly({ book_only: true })));
  const isEnding = book.book_only_until !== null;
  return (
    <div className="flex flex-col gap-1 border-b border-line px-2 py-2">
      <Toggle
        label={t('book.only')}
        isOn={book.book_only && !isEnding}
        isDisabled={start.isBusy}
        onChange={(isOn) => (isOn ? start.run() : onEnd())}
      />
      <p className="text-label text-quiet">
        {book.book_only_until === null
          ? t(book.book_only ? 'book.onlyOn' : 'book.onlyOff')
          : t('book.onlyEnds', { time: time(book.book_only_until, 'full') })}
      </p>
      <Refusal error={start.error} />
    </div>
  );
}

function EndOnlyTheBook({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const keep = useKeepBook();
  const end = async (code: string) => {
    keep(await exchange.setBookOnly({ book_only: false, ...otpField(code) }));
    onClose();
  };
  return (
    <ProofDialog title={t('book.only')} submit={t('book.end')} act={end} onClose={onClose}>
      <p className="text-body">{t('book.endText')}</p>
    </ProofDialog>
  );
}

function BookTable({
  entries,
  onRemove,
  onRename,
}: {
  entries: readonly BookEntry[];
  onRename(entry: BookEntry): void;
  onRemove(entry: BookEntry): void;
}) {
  const { t, time } = useLook();
  const columns: readonly Column<BookEntry>[] = [
    {
      key: 'label',
      label: t('book.label'),
      cell: ({ address, label }) => (
        <>
          <bdi>{label}</bdi>
          <bdi dir="ltr" className="block max-w-36 truncate text-label text-quiet md:hidden">
            {address}
          </bdi>
        </>
      ),
    },
    {
      key: 'coin',
      label: t('wallet.coin'),
      cell: ({ currency, network }) => (
        <bdi dir="ltr">
          {currency.toUpperCase()}
          {network !== '' && network !== currency && (
            <span className="text-quiet"> {network.toUpperCase()}</span>
          )}
        </bdi>
      ),
    },
    {
      key: 'address',
      label: t('wallet.address'),
      isExtra: true,
      cell: ({ address }) => (
        <bdi
          dir="ltr"
          title={address}
          className="inline-block max-w-80 truncate align-bottom font-mono"
        >
          {address}
        </bdi>
      ),
    },
    {
      key: 'active',
      label: t('wallet.state'),
      cell: ({ active_at }) =>
        Date.parse(active_at) <= Date.now() ? (
          <span className="text-up">{t('book.usable')}</span>
        ) : (
          <span className="text-warn">{t('book.from', { time: time(active_at, 'short') })}</span>
        ),
    },
    {
      key: 'acts',
      label: <span className="sr-only">{t('people.change')}</span>,
      isNumber: true,
      cell: (entry) => (
        <span className="inline-flex">
          <Button
            size="icon"
            look="quiet"
            aria-label={t('book.rename', { label: entry.label })}
            onClick={() => onRename(entry)}
          >
            <Pencil size={13} aria-hidden="true" />
          </Button>
          <Button
            size="icon"
            look="quiet"
            aria-label={t('book.remove', { label: entry.label })}
            onClick={() => onRemove(entry)}
          >
            <Trash2 size={14} aria-hidden="true" />
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Table
      caption={t('wallet.book')}
      columns={columns}
      rows={entries}
      keyOf={({ address, currency, network }) => `${currency} ${network} ${address}`}
    />
  );
}

function AddAddress({ book, onClose }: { book: AddressBook; onClose(): void }) {
  const { t } = useLook();
  const keep = useKeepBook();
  const proof = useProof();
  const { data: constants } = useQuery(constantsQuery);
  const coins = Object.values(constants?.coins ?? {}).filter(({ type }) => type !== 'fiat');
  const [wanted, setCurrency] = useState('btc');
  const currency = coins.some(({ symbol }) => symbol === wanted)
    ? wanted
    : (coins[0]?.symbol ?? '');
  const networks = bookNetworks(coins.find(({ symbol }) => symbol === currency));
  const [chosen, setNetwork] = useState('');
  const network = networks.includes(chosen) ? chosen : networks[0];
  const [address, setAddress] = useState('');
  const [label, setLabel] = useState('');
  const add = useAct(async () => {
    const entry: AddressBookEntryIn = { address, currency, label, network };
    const code = otpField(await proof.prove());
    keep(await exchange.replaceAddressBook({ addresses: withEntry(book, entry), ...code }));
    onClose();
  });
  const nameOf = (one: string) =>
    one === BY_EMAIL ? t('book.byEmail') : one === '' ? currency.toUpperCase() : one.toUpperCase();
  return (
    <Dialog title={t('book.add')} isOpen onClose={onClose}>
      <ActForm onSubmit={add.run}>
        <div className="grid grid-cols-2 gap-2">
          <Select
            label={t('wallet.coin')}
            value={currency}
            onValue={setCurrency}
            choices={coins.map(({ symbol }) => ({ value: symbol, label: symbol.toUpperCase() }))}
          />
          <Select
            label={t('wallet.network')}
            value={network}
            onValue={setNetwork}
            choices={networks.map((one) => ({ value: one, label: nameOf(one) }))}
          />
        </div>
        <Field
          label={t(network === BY_EMAIL ? 'people.email' : 'wallet.address')}
          hint={network === BY_EMAIL ? undefined : t('wallet.addressHint')}
          dir="ltr"
          required
          spellCheck={false}
          autoComplete="off"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
        <LabelField value={label} onValue={setLabel} />
        {proof.view}
        <p className="text-label text-quiet">{t('book.waits')}</p>
        <SessionRefusal error={add.error} />
        <Button type="submit" look="main" size="large" isBusy={add.isBusy}>
          {t('book.add')}
        </Button>
      </ActForm>
    </Dialog>
  );
}

function LabelField({ onValue, value }: { value: string; onValue(value: string): void }) {
  const { t } = useLook();
  return (
    <Field
      label={t('book.label')}
      required
      maxLength={64}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  );
}

function RenameAddress({
  book,
  entry,
  onClose,
}: {
  book: AddressBook;
  entry: BookEntry;
  onClose(): void;
}) {
  const { t } = useLook();
  const keep = useKeepBook();
  const [label, setLabel] = useState(entry.label);
  const save = useAct(async () => {
    keep(await exchange.replaceAddressBook({ addresses: withLabel(book, entry, label) }));
    onClose();
  });
  return (
    <Dialog title={t('book.rename', { label: entry.label })} isOpen onClose={onClose}>
      <ActForm onSubmit={save.run}>
        <LabelField value={label} onValue={setLabel} />
        <Refusal error={save.error} />
        <Button type="submit" look="main" size="large" isBusy={save.isBusy}>
          {t('shell.save')}
        </Button>
      </ActForm>
    </Dialog>
  );
}

function RemoveAddress({
  book,
  entry,
  onClose,
}: {
  book: AddressBook;
  entry: BookEntry;
  onClose(): void;
}) {
  const { t } = useLook();
  const keep = useKeepBook();
  const remove = useAct(async () => {
    keep(await exchange.replaceAddressBook({ addresses: withoutEntry(book, entry) }));
    onClose();
  });
  return (
    <Dialog title={t('book.remove', { label: entry.label })} isOpen onClose={onClose}>
      <ActForm onSubmit={remove.run}>
        <p className="text-body break-all">
          <bdi dir="ltr">{entry.address}</bdi>
        </p>
        <p className="text-body text-quiet">{t('book.removeText')}</p>
        <Refusal error={remove.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button type="submit" look="danger" isBusy={remove.isBusy}>
            {t('people.remove')}
          </Button>
        </div>
      </ActForm>
    </Dialog>
  );
}
