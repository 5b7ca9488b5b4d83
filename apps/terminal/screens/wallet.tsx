// Wallet: total value, each asset, deposits and withdrawals.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { Coin } from '../../../client/index.ts';
import { isZero, trimmed } from '../../decimals/index.ts';
import { saveFile, useAct } from '../../forms/index.ts';
import {
  Amount,
  Button,
  Checkbox,
  type Column,
  LOADING,
  Panel,
  type PanelState,
  READY,
  Select,
  stateOfError,
  stateOfList,
  Table,
  Tabs,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { AddressBookPanel } from '../money/address-book.tsx';
import { BanksPanel } from '../money/banks.tsx';
import { DepositDrawer } from '../money/deposit.tsx';
import { TransferTable } from '../money/history.tsx';
import { LiabilityProof } from '../money/liability-proof.tsx';
import { CoinMark, SignInLink } from '../money/parts.tsx';
import {
  balanceQuery,
  depositsQuery,
  pricesQuery,
  useFreshOn,
  withdrawalsQuery,
} from '../money/queries.ts';
import { StakingTab } from '../money/staking.tsx';
import { useStored } from '../money/stored.ts';
import { isSmall, shareOf, totalOf, type WalletRow, walletRows } from '../money/wallet-rows.ts';
import { WithdrawDrawer } from '../money/withdraw.tsx';
import { useSession } from '../session.tsx';
import { staleOr, useStale } from '../stale.ts';

const TABS = ['coins', 'deposits', 'withdrawals', 'book', 'banks', 'staking'] as const;
type WalletTab = (typeof TABS)[number];

export function Screen() {
  const { t } = useLook();
  const { user } = useSession();
  const navigate = useNavigate();
  const { tab: asked } = useSearch({ strict: false }) as { tab?: unknown };
  const tab: WalletTab = TABS.find((one) => one === asked) ?? 'coins';
  const setTab = (next: WalletTab) =>
    void navigate({ to: '/wallet', search: { tab: next }, replace: true });
  useFreshOn(['wallet', 'deposit', 'withdrawal'], ['balance', 'deposits', 'withdrawals']);
  const wallet = useWallet();
  const [hidesSmall, setHidesSmall] = useState(false);
  const [opened, setOpened] = useState<{ way: 'in' | 'out'; coin: Coin }>();
  const open = (way: 'in' | 'out') => (coin: string) =>
    setOpened({ way, coin: wallet.coins[coin] });
  const signedOut: PanelState = { kind: 'forbidden', needs: 'session' };
  if (user === null) {
    return (
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-1">
        <h1 className="sr-only">{t('nav.wallet')}</h1>
        <Panel title={t('nav.wallet')} state={signedOut} signIn={<SignInLink />}>
          {null}
        </Panel>
      </div>
    );
  }
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-1">
      <h1 className="sr-only">{t('nav.wallet')}</h1>
      <Total wallet={wallet} />
      <section aria-label={t('nav.wallet')} className="rounded bg-panel">
        <Tabs
          label={t('nav.wallet')}
          value={tab}
          onValue={setTab}
          after={
            tab === 'coins' ? (
              <span className="pe-2 whitespace-nowrap">
                <Checkbox
                  label={t('wallet.hideSmall')}
                  isOn={hidesSmall}
                  onChange={setHidesSmall}
                />
              </span>
            ) : tab === 'deposits' || tab === 'withdrawals' ? (
              <Export kind={tab} />
            ) : null
          }
          tabs={[
            {
              value: 'coins',
              label: t('wallet.coins'),
              content: (
                <Coins
                  wallet={wallet}
                  hidesSmall={hidesSmall}
                  onDeposit={open('in')}
                  onWithdraw={open('out')}
                />
              ),
            },
            {
              value: 'deposits',
              label: t('wallet.deposits'),
              content: <Transfers kind="deposits" />,
            },
            {
              value: 'withdrawals',
              label: t('wallet.withdrawals'),
              content: <Transfers kind="withdrawals" />,
            },
            { value: 'book', label: t('wallet.book'), content: <AddressBookPanel /> },
            { value: 'banks', label: t('bank.title'), content: <BanksPanel /> },
            { value: 'staking', label: t('stake.title'), content: <StakingTab /> },
          ]}
        />
      </section>
      <DepositDrawer
        coin={opened?.way === 'in' ? opened.coin : undefined}
        onClose={() => setOpened(undefined)}
      />
      <WithdrawDrawer
        coin={opened?.way === 'out' ? opened.coin : undefined}
        onClose={() => setOpened(undefined)}
      />
    </div>
  );
}

interface Wallet {
  readonly rows: readonly WalletRow[];
  readonly state: PanelState;
  readonly valueIn: string;
  readonly valueScale: number;
  readonly coins: Readonly<Record<string, Coin>>;
  setValueIn(coin: string): void;
  retry(): void;
}

const readCoin = (stored: string | null) => stored ?? 'usdt';
const writeCoin = (coin: string) => coin;

function useWallet(): Wallet {
  const { user } = useSession();
  const stale = useStale();
  const constants = useQuery(constantsQuery);
  const balance = useQuery({ ...balanceQuery, enabled: user != null });
  const [wanted, setValueIn] = useStored('value-in', readCoin, writeCoin);
  const coins = constants.data?.coins ?? {};
  const names = Object.keys(coins);
  const valueIn = names.includes(wanted) ? wanted : (names[0] ?? '');
  const { data: prices = {} } = useQuery(pricesQuery(names, valueIn));
  const error = constants.error ?? balance.error;
  const isReady = constants.data !== undefined && balance.data !== undefined;
  return {
    rows: isReady ? walletRows(coins, balance.data, prices) : [],
    state: error !== null ? stateOfError(error) : isReady ? (stale ?? READY) : LOADING,
    valueIn,
    valueScale: coins[valueIn]?.type === 'fiat' || valueIn === 'usdt' ? 2 : 8,
    coins,
    setValueIn,
    retry: () => void balance.refetch(),
  };
}

function Total({ wallet }: { wallet: Wallet }) {
  const { prefer, preferences, t } = useLook();
  const { unpriced, value } = totalOf(wallet.rows);
  const hidden = preferences.hidesBalances;
  return (
    <section
      aria-label={t('wallet.total')}
      className={`flex flex-wrap items-end justify-between gap-3 rounded bg-panel px-4 py-4 ${
        wallet.state.kind === 'stale' ? 'opacity-95 grayscale' : ''
      }`}
    >
      <div className="min-w-0">
        <div className="flex items-center gap-2 text-body text-quiet">
          {t('wallet.total')}
          <Button
            look="quiet"
            size="icon"
            aria-pressed={hidden}
            aria-label={t('wallet.hideNumbers')}
            onClick={() => prefer({ hidesBalances: !hidden })}
          >
            {hidden ? (
              <EyeOff size={14} aria-hidden="true" />
            ) : (
              <Eye size={14} aria-hidden="true" />
            )}
          </Button>
        </div>
        <div className="text-hero font-semibold" data-testid="total">
          {wallet.state.kind === 'ready' ? (
            <Amount
              value={value}
              scale={wallet.valueScale}
              unit={wallet.valueIn}
              isHidden={hidden}
            />
          ) : (
            <span className="skeleton inline-block h-8 w-56" />
          )}
        </div>
        {unpriced.length > 0 && (
          <p className="text-label text-quiet">
            {t('wallet.unpriced', { coins: unpriced.join(', ').toUpperCase() })}
          </p>
        )}
      </div>
      <div className="flex items-end gap-2">
        <Select
          label={t('wallet.valueIn')}
          value={wallet.valueIn}
          onValue={wallet.setValueIn}
          className="w-28"
          choices={Object.keys(wallet.coins).map((coin) => ({
            value: coin,
            label: coin.toUpperCase(),
          }))}
        />
      </div>
      <ShareBar rows={wallet.rows} total={value} />
      <LiabilityProof />
    </section>
  );
}

/** Shares of the assets as one bar; the table below has the same numbers. */
function ShareBar({ rows, total }: { rows: readonly WalletRow[]; total: string }) {
  const shares = rows.map(({ coin, value }) => ({ coin, share: shareOf(value, total) }));
  const shown = shares.filter(({ share }) => share >= 0.005);
  const opacity = ['opacity-100', 'opacity-75', 'opacity-55', 'opacity-40', 'opacity-25'];
  return (
    <div className="flex w-full flex-col gap-1.5">
      <div aria-hidden="true" className="flex h-1.5 gap-0.5 overflow-hidden rounded bg-raised">
        {shown.map(({ coin, share }, at) => (
          <span
            key={coin}
            style={{ flexGrow: share, flexBasis: 0 }}
            className={`bg-accent ${opacity[Math.min(at, opacity.length - 1)]}`}
          />
        ))}
      </div>
    </div>
  );
}

function Coins({
  hidesSmall,
  onDeposit,
  onWithdraw,
  wallet,
}: {
  wallet: Wallet;
  hidesSmall: boolean;
  onDeposit(coin: string): void;
  onWithdraw(coin: string): void;
}) {
  const { percent, preferences, t } = useLook();
  const whole = totalOf(wallet.rows).value;
  const rows = hidesSmall ? wallet.rows.filter((row) => !isSmall(row, whole)) : wallet.rows;
  const isHidden = preferences.hidesBalances;
  const amount = (pick: (row: WalletRow) => string) => (row: WalletRow) => (
    <Amount value={pick(row)} scale={row.scale} isHidden={isHidden} />
  );
  const columns: readonly Column<WalletRow>[] = [
    {
      key: 'coin',
      label: t('wallet.coin'),
      cell: ({ coin, name, total }) => (
        <span className="flex items-center gap-2.5 py-1.5">
          <CoinMark coin={coin} />
          <span className="flex flex-col leading-tight sm:flex-row sm:items-baseline sm:gap-2">
            <span className="font-semibold">{coin.toUpperCase()}</span>
            <span className="text-label text-quiet max-md:hidden">{name}</span>
            <span className="text-label text-quiet md:hidden">
              <Amount value={trimmed(total)} isHidden={isHidden} />
            </span>
          </span>
        </span>
      ),
    },
    {
      key: 'total',
      label: t('wallet.totalOf'),
      isNumber: true,
      isExtra: true,
      cell: (row) => (isZero(row.total) ? <Nothing /> : amount(({ total }) => total)(row)),
    },
    {
      key: 'available',
      label: t('wallet.available'),
      isNumber: true,
      isExtra: true,
      cell: (row) => (isZero(row.available) ? <Nothing /> : amount((one) => one.available)(row)),
    },
    {
      key: 'held',
      label: t('wallet.held'),
      isNumber: true,
      isExtra: true,
      cell: (row) => (isZero(row.held) ? <Nothing /> : amount(({ held }) => held)(row)),
    },
    {
      key: 'value',
      label: t('wallet.valueOf', { coin: wallet.valueIn.toUpperCase() }),
      isNumber: true,
      cell: ({ value }) => <Amount value={value} scale={wallet.valueScale} isHidden={isHidden} />,
    },
    {
      key: 'share',
      label: t('wallet.share'),
      isNumber: true,
      isExtra: true,
      cell: ({ value }) => (
        <bdi dir="ltr" className="text-quiet">
          {percent(String(shareOf(value, whole)), { scale: 1 })}
        </bdi>
      ),
    },
  ];
  const acts: Column<WalletRow> = {
    key: 'acts',
    label: <span className="sr-only">{t('wallet.deposit')}</span>,
    isNumber: true,
    cell: ({ allowsDeposit, allowsWithdrawal, coin }) => (
      <span className="inline-flex gap-1 max-sm:flex-col max-sm:py-1">
        <Button
          size="small"
          disabled={!allowsDeposit}
          aria-label={t('wallet.depositOf', { coin: coin.toUpperCase() })}
          onClick={() => onDeposit(coin)}
        >
          {t('wallet.deposit')}
        </Button>
        <Button
          size="small"
          disabled={!allowsWithdrawal}
          aria-label={t('wallet.withdrawOf', { coin: coin.toUpperCase() })}
          onClick={() => onWithdraw(coin)}
        >
          {t('wallet.withdraw')}
        </Button>
      </span>
    ),
  };
  return (
    <Panel title={t('wallet.coins')} isTitleHidden state={wallet.state} onRetry={wallet.retry}>
      <Table
        caption={t('wallet.coins')}
        columns={[...columns, acts]}
        rows={rows}
        keyOf={({ coin }) => coin}
      />
    </Panel>
  );
}

function Nothing() {
  return <span className="text-quiet">0</span>;
}

/** Exports every row, for accounting and taxes. */
function Export({ kind }: { kind: 'deposits' | 'withdrawals' }) {
  const { t } = useLook();
  const save = useAct(async () => {
    const text = await exchange.csv(kind === 'deposits' ? 'getDeposits' : 'getWithdrawals');
    saveFile(`rialto-${kind}.csv`, text, 'text/csv');
  });
  return (
    <Button size="small" look="quiet" isBusy={save.isBusy} onClick={() => save.run()}>
      <Download size={14} aria-hidden="true" />
      {t('orders.export')}
    </Button>
  );
}

function Transfers({ kind }: { kind: 'deposits' | 'withdrawals' }) {
  const { t } = useLook();
  const query = useQuery(kind === 'deposits' ? depositsQuery : withdrawalsQuery);
  const list = { error: query.error, data: query.data?.data };
  const title = t(`wallet.${kind}`);
  return (
    <Panel
      title={title}
      isTitleHidden
      state={staleOr(stateOfList(list, t(`wallet.no.${kind}`)), useStale())}
      onRetry={() => void query.refetch()}
    >
      <TransferTable caption={title} rows={query.data?.data ?? []} />
    </Panel>
  );
}
