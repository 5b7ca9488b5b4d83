// Trade screen: chart, book, recent trades, order form and the user's orders, side by side on a
// desktop and in tabs on a phone.

import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Pair } from '../../../client/index.ts';
import { scaleOf, withScale } from '../../decimals/index.ts';
import { useExchangeName } from '../../shell/index.ts';
import {
  Button,
  Dialog,
  LOADING,
  marketName,
  Notice,
  Panel,
  type PanelState,
  READY,
  stateOfError,
  Tabs,
  useCell,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery } from '../exchange.ts';
import { rememberSymbol } from '../last-symbol.ts';
import { useSession } from '../session.tsx';
import { useStale } from '../stale.ts';
import { AccountPanel } from '../trade/account-panel.tsx';
import { BookPanel, type Pick } from '../trade/book-panel.tsx';
import { ChartPanel } from '../trade/chart-panel.tsx';
import { actOf, type KeyAct } from '../trade/keys.ts';
import type { MarketFeed } from '../trade/market-feed.ts';
import { MarketHeader } from '../trade/market-header.tsx';
import { type Draft, EMPTY_DRAFT, shareOfAvailable, withKind } from '../trade/order-draft.ts';
import { OrderForm } from '../trade/order-form.tsx';
import { KeyHelp, Palette } from '../trade/palette.tsx';
import { TapePanel } from '../trade/tape-panel.tsx';
import { useCircumstances, useMarketFeed } from '../trade/use-market.ts';
import { useOrderActs } from '../trade/use-order-acts.ts';

export function Screen() {
  const { t } = useLook();
  const { symbol = '' } = useParams({ strict: false }) as { symbol?: string };
  const { data: constants, error } = useQuery(constantsQuery);
  const feed = useMarketFeed(symbol);
  const market = constants?.pairs[symbol];
  useEffect(() => {
    if (market !== undefined) rememberSymbol(market.code);
  }, [market]);
  if (error !== null || constants === undefined || feed === undefined) {
    const state = error === null ? LOADING : stateOfError(error);
    return (
      <Panel title={t('nav.trade')} state={state} className="flex-1" skeletonRows={12}>
        {null}
      </Panel>
    );
  }
  if (market === undefined) return <Notice icon={null} title={t('trade.noMarket')} />;
  return <TradeScreen key={symbol} market={market} feed={feed} />;
}

const PHONE = '(max-width: 767px)';

function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(PHONE);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(PHONE).matches,
  );
}

/** Panel state for live data: loading until the first data, stale while disconnected. */
function liveState(hasData: boolean, stale: PanelState | undefined): PanelState {
  return hasData ? (stale ?? READY) : LOADING;
}

type Open = 'palette' | 'help' | 'pairs' | 'form' | undefined;

function TradeScreen({ feed, market }: { market: Pair; feed: MarketFeed }) {
  const about = useCircumstances(market, feed);
  const acts = useOrderActs();
  const stale = useStale();
  const isPhone = useIsPhone();
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [open, setOpen] = useState<Open>();
  const priceField = useRef<HTMLInputElement>(null);
  const { account } = useSession();
  const status = useCell(feed.status) ?? market.status;
  const book = useCell(feed.book);
  const orders = useCell(account).open;
  const here = orders.filter(({ symbol }) => symbol === market.code);
  const scale = scaleOf(market.increment_price);

  // The initial price is that of the last trade.
  useEffect(() => {
    if (about.lastPrice === undefined) return;
    const price = withScale(about.lastPrice, scale);
    setDraft((now) => (now.price === '' && now.amount === '' ? { ...now, price } : now));
  }, [about.lastPrice, scale]);

  usePriceInTitle(market.code, about.lastPrice);

  const pick = ({ price, size }: Pick) => {
    setDraft((now) => ({
      ...withKind(now, now.kind === 'market' ? 'limit' : now.kind),
      price: withScale(price, scale),
      ...(size !== undefined && { amount: size, amountOf: 'size' }),
    }));
    if (isPhone) setOpen('form');
  };
  const run = (act: KeyAct) => {
    const share = /^share(\d+)$/.exec(act)?.[1];
    if (share !== undefined) setDraft((now) => shareOfAvailable(now, Number(share), about));
    else if (act === 'buy' || act === 'sell') setDraft((now) => ({ ...now, side: act }));
    else if (act === 'limit' || act === 'market') setDraft((now) => withKind(now, act));
    else if (act === 'help' || act === 'palette') setOpen(act);
    else if (act === 'markets') setOpen('pairs');
    else if (act === 'price') priceField.current?.focus();
    else if (act === 'book') document.querySelector<HTMLElement>('[data-book]')?.focus();
    else if (act === 'cancelLast' && here[0] !== undefined) void acts.cancel(here[0].id);
  };
  useKeys(run);

  const close = () => setOpen(undefined);
  const bookState = liveState(book !== undefined, stale);
  const views = {
    chart: (
      <ChartPanel
        feed={feed}
        market={market}
        orders={here}
        state={stale ?? READY}
        className="[grid-area:chart] max-md:flex-1"
      />
    ),
    book: (
      <BookPanel
        feed={feed}
        market={market}
        orders={here}
        onPick={pick}
        state={bookState}
        className="[grid-area:book] max-md:flex-1"
      />
    ),
    tape: (
      <TapePanel
        feed={feed}
        market={market}
        stale={stale}
        className="[grid-area:tape] max-md:flex-1"
      />
    ),
    account: (
      <AccountPanel
        acts={acts}
        symbol={market.code}
        stale={stale}
        className="[grid-area:account] max-md:flex-1"
      />
    ),
  };
  const form = (
    <OrderForm
      draft={draft}
      onDraft={setDraft}
      about={about}
      acts={acts}
      isBlocked={stale !== undefined}
      status={status}
      onSent={isPhone ? close : () => {}}
      priceRef={priceField}
    />
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-1 max-md:h-[calc(100dvh-101px-env(safe-area-inset-bottom)-var(--banners,0px))] max-md:flex-none min-[1180px]:h-[calc(100dvh-52px-var(--banners,0px))] min-[1180px]:min-h-[680px] min-[1180px]:flex-none">
      <MarketHeader
        feed={feed}
        market={market}
        status={status}
        isPairsOpen={open === 'pairs'}
        onPairs={(isOpen) => setOpen(isOpen ? 'pairs' : undefined)}
      />
      {isPhone ? (
        <PhoneLayout
          views={views}
          form={form}
          isFormOpen={open === 'form'}
          onSide={(side) => {
            setDraft((now) => ({ ...now, side }));
            setOpen('form');
          }}
          onClose={close}
        />
      ) : (
        <DeskLayout views={views} form={form} />
      )}
      <Palette isOpen={open === 'palette'} onClose={close} onAct={run} />
      <KeyHelp isOpen={open === 'help'} onClose={close} />
    </div>
  );
}

/** A trader watches the price in the tab of the browser. Other screens set their own title. */
function usePriceInTitle(symbol: string, price: string | undefined): void {
  const { number } = useLook();
  const name = useExchangeName();
  useEffect(() => {
    if (price !== undefined) document.title = `${number(price)} ${marketName(symbol)} · ${name}`;
  }, [name, symbol, price, number]);
}

interface Views {
  readonly chart: React.ReactNode;
  readonly book: React.ReactNode;
  readonly tape: React.ReactNode;
  readonly account: React.ReactNode;
}

function DeskLayout({ form, views }: { views: Views; form: React.ReactNode }) {
  const { t } = useLook();
  return (
    <div className="trade-grid min-h-0 flex-1">
      {views.chart}
      {views.book}
      {views.tape}
      <Panel title={t('trade.order')} isTitleHidden state={READY} className="[grid-area:form]">
        <div className="min-h-0 flex-1 overflow-y-auto">{form}</div>
      </Panel>
      {views.account}
    </div>
  );
}

type PhoneTab = keyof Views;

function PhoneLayout({
  form,
  isFormOpen,
  onClose,
  onSide,
  views,
}: {
  views: Views;
  form: React.ReactNode;
  isFormOpen: boolean;
  onSide(side: Draft['side']): void;
  onClose(): void;
}) {
  const { t } = useLook();
  const [tab, setTab] = useState<PhoneTab>('chart');
  const words = {
    chart: 'trade.chart',
    book: 'trade.book',
    tape: 'trade.trades',
    account: 'nav.orders',
  } as const;
  return (
    <>
      <Tabs
        label={t('nav.trade')}
        value={tab}
        onValue={setTab}
        className="min-h-96 flex-1 gap-1 rounded"
        tabs={(Object.keys(words) as PhoneTab[]).map((value) => ({
          value,
          label: t(words[value]),
          content: views[value],
        }))}
      />
      <div className="sticky bottom-0 z-10 grid grid-cols-2 gap-2 bg-ground p-2">
        <Button look="buy" size="large" onClick={() => onSide('buy')}>
          {t('trade.buy')}
        </Button>
        <Button look="sell" size="large" onClick={() => onSide('sell')}>
          {t('trade.sell')}
        </Button>
      </div>
      <Dialog title={t('trade.order')} form="sheet" isOpen={isFormOpen} onClose={onClose}>
        {form}
      </Dialog>
    </>
  );
}

function useKeys(run: (act: KeyAct) => void): void {
  const { preferences } = useLook();
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isTyping =
        target.closest(
          'input:not([type=range],[type=checkbox]), select, textarea, dialog, [role=menu]',
        ) !== null;
      const act = actOf({ ...keysOf(event), isTyping }, preferences);
      if (act === undefined) return;
      event.preventDefault();
      latest.current(act);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [preferences]);
}

function keysOf({ altKey, ctrlKey, key, metaKey }: KeyboardEvent) {
  return { altKey, ctrlKey, key, metaKey };
}
