// Withdraw flow: destination, amount, rules line by line, second factor, the code from the email,
// and then the steps of the withdrawal.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type BankAccount, type Coin, RialtoError } from '../../../client/index.ts';
import { add, isPositive, trimmed } from '../../decimals/index.ts';
import { ActForm, Refusal, useAct } from '../../forms/index.ts';
import {
  Amount,
  Button,
  DecimalField,
  Dialog,
  Field,
  Select,
  showToast,
  useLook,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { otpField, passkeysQuery, useProof } from '../people/proof.tsx';
import { useSession } from '../session.tsx';
import { bankName } from './bank-fields.ts';
import { addressBookQuery, withdrawalsQuery } from './queries.ts';
import { Steps } from './timeline.tsx';
import { networksOf, stageOf } from './transfers.ts';
import { isAllowed, type VerdictLine, verdictOn, type WithdrawalDraft } from './verdict.ts';

export function WithdrawDrawer({ coin, onClose }: { coin: Coin | undefined; onClose(): void }) {
  const { t } = useLook();
  const title =
    coin === undefined ? '' : t('wallet.withdrawOf', { coin: coin.symbol.toUpperCase() });
  return (
    <Dialog title={title} form="drawer" isOpen={coin !== undefined} onClose={onClose}>
      {coin !== undefined && <Withdraw coin={coin} />}
    </Dialog>
  );
}

/** typing ──request──▶ confirming ──code──▶ following */
type Phase =
  | { readonly kind: 'typing' }
  | { readonly kind: 'confirming'; readonly draft: WithdrawalDraft }
  | { readonly kind: 'following'; readonly transactionId: string };

function Withdraw({ coin }: { coin: Coin }) {
  const [phase, setPhase] = useState<Phase>({ kind: 'typing' });
  if (phase.kind === 'typing') {
    return <Request coin={coin} onRequested={(draft) => setPhase({ kind: 'confirming', draft })} />;
  }
  if (phase.kind === 'confirming') {
    return (
      <Confirm
        draft={phase.draft}
        onConfirmed={(transactionId) => setPhase({ kind: 'following', transactionId })}
      />
    );
  }
  return <Timeline transactionId={phase.transactionId} />;
}

const CHECK_AFTER_MS = 300;
const ADDRESS_INVALID = 2203;

/**
 * Asks the exchange whether the network can pay the address, so no one-time code is spent on a
 * wrong one. Undefined until it has answered.
 */
function useIsPayable(address: string, where: { currency: string; network?: string }) {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(address), CHECK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [address]);
  const query = { ...where, address: settled };
  const { data } = useQuery({
    queryKey: ['address check', query],
    queryFn: async ({ signal }) => {
      try {
        await exchange.getWithdrawalFee(query, { signal });
        return true;
      } catch (error) {
        if (error instanceof RialtoError && error.code === ADDRESS_INVALID) return false;
        throw error;
      }
    },
    enabled: settled !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return settled === address ? data : undefined;
}

function useFacts(coin: Coin, network: string) {
  const { user } = useSession();
  const { data: passkeys = [] } = useQuery(passkeysQuery);
  const { data: book } = useQuery(addressBookQuery);
  const where = { currency: coin.symbol, ...(network === '' ? {} : { network }) };
  const { data: most } = useQuery({
    queryKey: ['private', 'withdrawal max', where],
    queryFn: ({ signal }) => exchange.getWithdrawalMax(where, { signal }),
  });
  const { data: fee } = useQuery({
    queryKey: ['private', 'withdrawal fee', where],
    queryFn: ({ signal }) => exchange.getWithdrawalFee(where, { signal }),
  });
  return {
    fee,
    banks: ((user?.bank_account ?? []) as BankAccount[]).filter(({ status }) => status === 3),
    facts: {
      hasFactor: user?.otp_enabled === true || passkeys.length > 0,
      heldUntil: user?.withdrawal_blocked ?? null,
      book,
      min: coin.withdrawal_fees?.[network]?.min ?? coin.min,
      max: most?.amount,
      nowMs: Date.now(),
    },
  };
}

function Request({ coin, onRequested }: { coin: Coin; onRequested(draft: WithdrawalDraft): void }) {
  const { t } = useLook();
  const isFiat = coin.type === 'fiat';
  const networks = isFiat ? [] : networksOf(coin);
  const [network, setNetwork] = useState(networks[0] ?? '');
  const [address, setAddress] = useState('');
  const [amount, setAmount] = useState('');
  const proof = useProof();
  const { banks, facts, fee } = useFacts(coin, network);
  const currency = coin.symbol;
  const draft: WithdrawalDraft = { amount, address: address.trim(), currency, network };
  const where = network === '' ? { currency } : { currency, network };
  const isPayable = useIsPayable(isFiat ? '' : draft.address, where);
  const lines = verdictOn(
    draft,
    isFiat ? { ...facts, book: NO_BOOK, isPayable: true } : { ...facts, isPayable },
  );
  const send = useAct(async () => {
    const code = otpField(await proof.prove());
    if (isFiat) {
      await exchange.requestFiatWithdrawal({
        amount,
        currency,
        bank_id: draft.address,
        version: 'v4',
        ...code,
      });
    } else {
      await exchange.requestWithdrawal({
        ...where,
        amount,
        address: draft.address,
        version: 'v4',
        ...code,
      });
    }
    onRequested(draft);
  });
  return (
    <ActForm onSubmit={() => send.run()}>
      {networks.length > 1 && (
        <Select
          label={t('wallet.network')}
          value={network}
          onValue={setNetwork}
          choices={networks.map((one) => ({ value: one, label: one.toUpperCase() }))}
        />
      )}
      {isFiat ? (
        <BankChoice banks={banks} value={address} onValue={setAddress} />
      ) : (
        <Destination draft={draft} value={address} onValue={setAddress} />
      )}
      <div className="flex items-end gap-2">
        <DecimalField
          className="min-w-0 flex-1"
          label={t('wallet.amount')}
          increment={coin.increment_unit}
          value={amount}
          onValue={setAmount}
          after={currency.toUpperCase()}
          required
        />
        <Button
          disabled={facts.max === undefined}
          onClick={() => setAmount(trimmed(facts.max ?? '0'))}
        >
          {t('wallet.max')}
        </Button>
      </div>
      <FeeLines amount={amount} currency={currency} fee={fee} />
      <Verdict lines={lines} currency={currency} />
      {facts.hasFactor && proof.view}
      <Refusal error={send.error} />
      <Button
        type="submit"
        look="main"
        size="large"
        isBusy={send.isBusy}
        disabled={!isAllowed(lines) || send.isBusy}
      >
        {isPositive(amount)
          ? t('wallet.withdrawAct', { amount: `${amount} ${currency.toUpperCase()}` })
          : t('wallet.withdraw')}
      </Button>
    </ActForm>
  );
}

const NO_BOOK = { user_id: 0, addresses: [], book_only: false, book_only_until: null };

/** An address from the book, or another one. */
function Destination({
  draft,
  onValue,
  value,
}: {
  draft: WithdrawalDraft;
  value: string;
  onValue(value: string): void;
}) {
  const { t, time } = useLook();
  const { data: book } = useQuery(addressBookQuery);
  const entries = (book?.addresses ?? []).filter(
    ({ currency, network }) => currency === draft.currency && network === draft.network,
  );
  const labelOf = ({ active_at, label }: { label: string; active_at: string }) =>
    Date.parse(active_at) > Date.now()
      ? t('wallet.activeFrom', { label, time: time(active_at, 'short') })
      : label;
  const isKnown = entries.some(({ address }) => address === value);
  return (
    <>
      {entries.length > 0 && (
        <Select
          label={t('wallet.book')}
          value={isKnown ? value : ''}
          onValue={onValue}
          choices={[
            { value: '', label: t('wallet.otherAddress') },
            ...entries.map((entry) => ({ value: entry.address, label: labelOf(entry) })),
          ]}
        />
      )}
      <Field
        label={t('wallet.address')}
        hint={t('wallet.addressHint')}
        dir="ltr"
        required
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
    </>
  );
}

function BankChoice({
  banks,
  onValue,
  value,
}: {
  banks: readonly BankAccount[];
  value: string;
  onValue(value: string): void;
}) {
  const { t } = useLook();
  if (banks.length === 0) {
    return <p className="rounded border border-warn p-3 text-body">{t('wallet.noBank')}</p>;
  }
  return (
    <Select
      label={t('wallet.bank')}
      value={value}
      onValue={onValue}
      choices={[
        { value: '', label: t('wallet.chooseBank') },
        ...banks.map((bank) => ({ value: bank.id, label: bankName(bank) })),
      ]}
    />
  );
}

function FeeLines({
  amount,
  currency,
  fee,
}: {
  amount: string;
  currency: string;
  fee: { fee: string; fee_coin: string } | undefined;
}) {
  const { t } = useLook();
  if (fee === undefined) return <span className="skeleton h-9" />;
  const isSame = fee.fee_coin === currency && isPositive(amount);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-y-1 text-body">
      <dt className="text-quiet">{t('wallet.fee')}</dt>
      <dd className="text-end">
        <Amount value={fee.fee} unit={fee.fee_coin} />
      </dd>
      {isSame && (
        <>
          <dt className="text-quiet">{t('wallet.together')}</dt>
          <dd className="text-end font-semibold">
            <Amount value={add(amount, fee.fee)} unit={currency} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Verdict({ currency, lines }: { lines: readonly VerdictLine[]; currency: string }) {
  const { number, t, time } = useLook();
  const marks = { passes: '✓', fails: '✕', open: '·' } as const;
  const colours = { passes: 'text-up', fails: 'text-down', open: 'text-quiet' } as const;
  const textOf = ({ result, rule, value }: VerdictLine) => {
    const isFailed = result === 'fails';
    if (rule === 'factor') return t(isFailed ? 'wallet.rule.noFactor' : 'wallet.rule.factor');
    if (rule === 'hold') {
      return isFailed
        ? t('wallet.rule.held', { time: time(value, 'short') })
        : t('wallet.rule.notHeld');
    }
    if (rule === 'form') {
      const word = result === 'open' ? 'checking' : isFailed ? 'wrongForm' : 'form';
      return t(`wallet.rule.${word}`);
    }
    if (rule === 'address') {
      if (!isFailed) return t('wallet.rule.address');
      return value === ''
        ? t('wallet.rule.notInBook')
        : t('wallet.rule.notActive', { time: time(value, 'short') });
    }
    if (value === '') return t('wallet.rule.checking');
    const amount = `${number(trimmed(value))} ${currency.toUpperCase()}`;
    return t(rule === 'minimum' ? 'wallet.rule.minimum' : 'wallet.rule.maximum', { amount });
  };
  return (
    <ul aria-label={t('wallet.rules')} className="flex flex-col gap-1 rounded bg-raised p-3">
      {lines.map((line) => (
        <li key={line.rule} data-result={line.result} className="flex gap-2 text-body">
          <span aria-hidden="true" className={`w-3 flex-none ${colours[line.result]}`}>
            {marks[line.result]}
          </span>
          <span className={line.result === 'fails' ? 'text-down' : ''}>{textOf(line)}</span>
        </li>
      ))}
    </ul>
  );
}

function Confirm({
  draft,
  onConfirmed,
}: {
  draft: WithdrawalDraft;
  onConfirmed(transactionId: string): void;
}) {
  const { t } = useLook();
  const { user } = useSession();
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const confirm = useAct(async () => {
    const { transaction_id } = await exchange.confirmWithdrawal({ token: code.trim() });
    showToast('done', t('wallet.confirmed'));
    await queries.invalidateQueries({ queryKey: withdrawalsQuery.queryKey });
    await queries.invalidateQueries({ queryKey: ['private', 'balance'] });
    onConfirmed(transaction_id);
  });
  return (
    <ActForm onSubmit={() => confirm.run()}>
      <p className="text-value">
        <Amount value={draft.amount} unit={draft.currency} />
      </p>
      <p className="text-body break-all text-quiet">
        <bdi dir="ltr">{draft.address}</bdi>
      </p>
      <p className="text-body">{t('wallet.mailSent', { email: user?.email ?? '' })}</p>
      <Field
        label={t('wallet.mailCode')}
        dir="ltr"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      <Refusal error={confirm.error} />
      <Button type="submit" look="main" size="large" isBusy={confirm.isBusy}>
        {t('wallet.confirm')}
      </Button>
    </ActForm>
  );
}

function Timeline({ transactionId }: { transactionId: string }) {
  const { t } = useLook();
  const { data } = useQuery(withdrawalsQuery);
  const row = data?.data.find(({ transaction_id }) => transaction_id === transactionId);
  return (
    <div className="flex flex-col gap-3">
      <Steps stage={row === undefined ? 'held' : stageOf(row)} policy={row?.policy} />
      <p className="text-label text-quiet">{t('wallet.cancelHint')}</p>
    </div>
  );
}
