// Deposit flow: network, warning, and address with its QR code, or the exchange's bank account and a
// transfer notice. Says plainly if a deposit is impossible, and whom to contact.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type Coin, type CreatedAddress, RialtoError } from '../../../client/index.ts';
import { ActForm, type Fact, Facts, QrCode, Refusal, useAct } from '../../forms/index.ts';
import {
  Amount,
  Button,
  DecimalField,
  Dialog,
  Field,
  LOADING,
  type Look,
  Panel,
  READY,
  Select,
  showToast,
  stateOfError,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { exchangeBanks, supportLink } from './bank-fields.ts';
import { TransferTable } from './history.tsx';
import { depositsQuery, kitQuery } from './queries.ts';
import { inFours, isConfirming, networksOf, splitAddress } from './transfers.ts';

export function DepositDrawer({ coin, onClose }: { coin: Coin | undefined; onClose(): void }) {
  const { t } = useLook();
  const title =
    coin === undefined ? '' : t('wallet.depositOf', { coin: coin.symbol.toUpperCase() });
  return (
    <Dialog title={title} form="drawer" isOpen={coin !== undefined} onClose={onClose}>
      {coin !== undefined && (
        <div className="flex flex-col gap-4">
          {coin.type === 'fiat' ? <BankTransfer coin={coin} /> : <ChainDeposit coin={coin} />}
          <RecentDeposits coin={coin.symbol} />
        </div>
      )}
    </Dialog>
  );
}

function ChainDeposit({ coin }: { coin: Coin }) {
  const { t } = useLook();
  const networks = networksOf(coin);
  const [network, setNetwork] = useState(networks[0] ?? '');
  const [accepted, setAccepted] = useState<string>();
  const name = network.toUpperCase();
  return (
    <>
      {networks.length > 0 && (
        <Select
          label={t('wallet.network')}
          value={network}
          onValue={setNetwork}
          choices={networks.map((one) => ({ value: one, label: one.toUpperCase() }))}
        />
      )}
      <p className="flex gap-2 rounded border border-warn p-3 text-body">
        <TriangleAlert size={16} aria-hidden="true" className="flex-none text-warn" />
        {t('wallet.networkWarning', { coin: coin.symbol.toUpperCase(), network: name })}
      </p>
      {accepted === network ? (
        <DepositAddress coin={coin.symbol} network={network} />
      ) : (
        <Button look="main" size="large" onClick={() => setAccepted(network)}>
          {t('wallet.showAddress')}
        </Button>
      )}
    </>
  );
}

function DepositAddress({ coin, network }: { coin: string; network: string }) {
  const { t } = useLook();
  const made = useQuery({
    queryKey: ['private', 'deposit address', coin, network],
    queryFn: ({ signal }) =>
      exchange.createAddress({ crypto: coin, ...(network === '' ? {} : { network }) }, { signal }),
  });
  const state =
    made.error !== null ? stateOfError(made.error) : made.data === undefined ? LOADING : READY;
  const parts = splitAddress(made.data?.address ?? '');
  if (made.error instanceof RialtoError && made.error.code === NO_ADDRESS) {
    return <NoAddress coin={coin} />;
  }
  return (
    <Panel title={t('wallet.address')} state={state} onRetry={() => void made.refetch()}>
      <div className="flex flex-col items-center gap-3 p-3">
        <QrCode text={parts.address} label={t('wallet.qr')} />
        <Copyable label={t('wallet.address')} text={parts.address} />
        {parts.tag !== undefined && (
          <>
            <Copyable label={t('wallet.memo')} text={parts.tag} />
            <p className="text-body text-warn">{t('wallet.memoWarning')}</p>
          </>
        )}
        {made.data?.terms !== undefined && <Terms coin={coin} terms={made.data.terms} />}
      </div>
    </Panel>
  );
}

/** When a deposit is credited, in networks that the exchange follows. */
function Terms({ coin, terms }: { coin: string; terms: NonNullable<CreatedAddress['terms']> }) {
  const { t } = useLook();
  const { confirmations_needed, min, usual_seconds } = terms;
  const facts: Fact[] = [
    { label: t('wallet.depositMin'), value: <Amount value={min} unit={coin} /> },
    { label: t('wallet.confirmations'), value: <bdi>{confirmations_needed}</bdi> },
  ];
  if (usual_seconds !== null) {
    facts.push({ label: t('wallet.usualTime'), value: usualTime(usual_seconds, t) });
  }
  return (
    <div className="w-full">
      <Facts facts={facts} />
      <p className="px-2 pt-1 text-label text-quiet">{t('wallet.depositMinHint')}</p>
    </div>
  );
}

function usualTime(seconds: number, t: Look['t']): string {
  return seconds < 60
    ? t('wallet.underMinute')
    : t('wallet.minutes', { count: Math.round(seconds / 60) });
}

/** The exchange has no custody for this asset, and no address that an operator has added. */
const NO_ADDRESS = 2467;

function NoAddress({ coin }: { coin: string }) {
  const { t } = useLook();
  const { data: constants } = useQuery(constantsQuery);
  const isDemo = constants?.demo === true;
  return (
    <div role="status" className="flex flex-col gap-2 rounded border border-line bg-raised p-3">
      <p className="font-semibold">{t('wallet.noAddress', { coin: coin.toUpperCase() })}</p>
      <p className="text-body text-quiet">
        {t(isDemo ? 'wallet.noAddressDemo' : 'wallet.noAddressText')}
      </p>
      <Support />
    </div>
  );
}

function Support() {
  const { t } = useLook();
  const { data: kit } = useQuery(kitQuery);
  const link = kit && supportLink(kit.links);
  if (link === undefined) return null;
  return (
    <a href={link} className="self-start text-accent hover:underline">
      {t('wallet.support', { link: link.replace(/^(?:mailto:|https:\/\/)/, '') })}
    </a>
  );
}

function Copyable({
  isWhole = false,
  label,
  text,
}: {
  label: string;
  text: string;
  /** Addresses are shown in groups of four, which are easier to compare. */
  isWhole?: boolean;
}) {
  const { t } = useLook();
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    showToast('done', t('wallet.copied'));
  };
  return (
    <div className="flex w-full items-center justify-between gap-2 rounded bg-raised p-2">
      <div className="min-w-0">
        <div className="text-label text-quiet">{label}</div>
        <bdi dir="ltr" className="flex flex-wrap gap-x-1.5 text-value">
          {(isWhole ? [text] : inFours(text)).map((four, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one address, never reordered.
            <span key={at} className={at % 2 === 0 ? '' : 'text-quiet'}>
              {four}
            </span>
          ))}
        </bdi>
      </div>
      <Button
        look="quiet"
        size="icon"
        aria-label={t('wallet.copy', { what: label })}
        onClick={() => void copy()}
      >
        <Copy size={14} aria-hidden="true" />
      </Button>
    </div>
  );
}

function BankTransfer({ coin }: { coin: Coin }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const [amount, setAmount] = useState('');
  const { user } = useSession();
  // Operators find the user by it, so it is the same for every transfer.
  const own = `R-${user?.id ?? ''}`;
  const [reference, setReference] = useState('');
  const announce = useAct(async () => {
    await exchange.requestFiatDeposit({
      amount,
      currency: coin.symbol,
      transaction_id: reference.trim(),
    });
    setAmount('');
    setReference('');
    showToast('done', t('wallet.announced'));
    await queries.invalidateQueries({ queryKey: depositsQuery.queryKey });
  });
  return (
    <ActForm onSubmit={() => announce.run()}>
      <OwnBanks currency={coin.symbol} reference={own} />
      <p className="text-body text-quiet">{t('wallet.bankDeposit')}</p>
      <DecimalField
        label={t('wallet.amount')}
        increment={coin.increment_unit}
        value={amount}
        onValue={setAmount}
        after={coin.symbol.toUpperCase()}
        required
      />
      <Field
        label={t('wallet.reference')}
        hint={t('wallet.referenceHint')}
        dir="ltr"
        required
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      <Refusal error={announce.error} />
      <Button type="submit" look="main" size="large" isBusy={announce.isBusy}>
        {t('wallet.announce')}
      </Button>
    </ActForm>
  );
}

/** Where to send the money, with a reference that names the user. */
function OwnBanks({ currency, reference }: { currency: string; reference: string }) {
  const { t } = useLook();
  const { data: kit } = useQuery(kitQuery);
  if (kit === undefined) return <span className="skeleton h-24" />;
  const banks = exchangeBanks(kit.onramp, currency);
  if (banks.length === 0) {
    return (
      <div role="status" className="flex flex-col gap-2 rounded border border-warn p-3">
        <p className="text-body">{t('wallet.noOwnBank')}</p>
        <Support />
      </div>
    );
  }
  return banks.map(({ lines, name }) => (
    <section key={name} aria-label={t('wallet.ownBank')} className="flex flex-col gap-1.5">
      <h3 className="text-body font-semibold">{t('wallet.ownBank')}</h3>
      {lines.map(({ label, value }) => (
        <Copyable key={label} label={label} text={value} isWhole />
      ))}
      <Copyable label={t('wallet.ownReference')} text={reference} isWhole />
      <p className="text-label text-warn">{t('wallet.ownReferenceHint')}</p>
    </section>
  ));
}

/** A block takes seconds at least. */
const CONFIRMING_MS = 3_000;

function RecentDeposits({ coin }: { coin: string }) {
  const { t } = useLook();
  const { data } = useQuery({
    ...depositsQuery,
    // Confirmations have no stream messages.
    refetchInterval: ({ state }) => (state.data?.data.some(isConfirming) ? CONFIRMING_MS : false),
  });
  const rows = (data?.data ?? []).filter(({ currency }) => currency === coin).slice(0, 5);
  if (rows.length === 0) return null;
  return (
    <section className="flex flex-col gap-1 overflow-x-auto">
      <h3 className="text-label text-quiet">{t('wallet.recentDeposits')}</h3>
      <TransferTable caption={t('wallet.recentDeposits')} rows={rows} isShort />
    </section>
  );
}
