// Order form: typed input, its meaning, and one button labeled with the action and its numbers. All
// calculations are in `order-draft.ts`.

import { Link } from '@tanstack/react-router';
import { type ReactNode, type Ref, useState } from 'react';
import { scaleOf } from '../../decimals/index.ts';
import {
  Amount,
  Button,
  Checkbox,
  DecimalField,
  Dialog,
  Field,
  Segments,
  Select,
  useLook,
} from '../../ui/index.ts';
import { useSession } from '../session.tsx';
import { acceptedBy, isAccepted, type MarketStatus } from './market-status.ts';
import {
  type Circumstances,
  type Draft,
  hasLinkedStop,
  hasPrice,
  hasStop,
  linkedStopOf,
  mayExpire,
  mayLinkStop,
  mayPostOnly,
  type OrderKind,
  orderOf,
  type Problem,
  type Reading,
  readDraft,
  sentTimeInForce,
  shareOfAvailable,
  triggerOf,
  usedPercent,
  withKind,
  withTrigger,
} from './order-draft.ts';
import { actWords } from './order-words.ts';
import type { OrderActs } from './use-order-acts.ts';

interface FormProps {
  readonly draft: Draft;
  readonly about: Circumstances;
  onDraft(draft: Draft): void;
}

const TRIGGERS = ['stop', 'take-profit'] as const;
const KINDS: readonly OrderKind[] = ['limit', 'market', 'stop', 'stop-limit'];

export function OrderForm({
  about,
  acts,
  draft,
  isBlocked,
  onDraft,
  onSent,
  priceRef,
  status,
}: FormProps & {
  /** The market's status; it can exclude this order. */
  status: MarketStatus;
  acts: OrderActs;
  /** While the shown data is stale, nothing is sent with one click. */
  isBlocked: boolean;
  onSent?: () => void;
  priceRef?: Ref<HTMLInputElement>;
}) {
  const { t } = useLook();
  const reading = readDraft(draft, about);
  const change = (next: Partial<Draft>) => onDraft({ ...draft, ...next });
  const { market } = about;
  return (
    <form
      className="flex flex-col gap-2.5 p-2.5"
      onSubmit={(event) => event.preventDefault()}
      noValidate
      data-order-form
    >
      <SideButtons draft={draft} onSide={(side) => change({ side })} />
      <Segments
        label={t('trade.orderType')}
        value={withTrigger(draft.kind, 'stop')}
        onValue={(kind) => onDraft(withKind(draft, withTrigger(kind, triggerOf(draft.kind))))}
        choices={KINDS.map((value) => ({ value, label: t(`trade.kind.${value}`) }))}
      />
      {hasStop(draft.kind) && (
        <Segments
          label={t('trade.trigger')}
          value={triggerOf(draft.kind)}
          onValue={(trigger) => onDraft(withKind(draft, withTrigger(draft.kind, trigger)))}
          choices={TRIGGERS.map((value) => ({ value, label: t(`trade.kind.${value}`) }))}
        />
      )}
      {hasStop(draft.kind) && (
        <DecimalField
          label={t('trade.stopPrice')}
          increment={market.increment_price}
          value={draft.stop}
          onValue={(stop) => change({ stop })}
          after={market.pair_2.toUpperCase()}
          error={shownError(reading.problem, 'stop', draft.stop, t)}
        />
      )}
      {hasPrice(draft.kind) && (
        <DecimalField
          ref={priceRef ?? null}
          label={t('trade.price')}
          increment={market.increment_price}
          value={draft.price}
          onValue={(price) => change({ price })}
          after={market.pair_2.toUpperCase()}
          error={shownError(reading.problem, 'price', draft.price, t)}
        />
      )}
      <AmountFields draft={draft} onDraft={onDraft} about={about} reading={reading} />
      {mayLinkStop(draft) && (
        <DecimalField
          label={t('trade.linkedStop')}
          increment={market.increment_price}
          value={draft.linkedStop}
          onValue={(linkedStop) => change({ linkedStop })}
          after={market.pair_2.toUpperCase()}
          error={shownError(reading.problem, 'linkedStop', draft.linkedStop, t)}
        />
      )}
      <ShareSlider draft={draft} onDraft={onDraft} about={about} reading={reading} />
      <Terms draft={draft} onChange={change} />
      <Summary draft={draft} about={about} reading={reading} />
      <div className="flex flex-col gap-2 bg-panel max-md:sticky max-md:-bottom-4 max-md:-mx-4 max-md:border-t max-md:border-line max-md:p-4">
        <SendButton
          draft={draft}
          about={about}
          reading={reading}
          acts={acts}
          isBlocked={isBlocked}
          status={status}
          onSent={onSent}
        />
      </div>
    </form>
  );
}

/** An empty field is not an error yet. */
function shownError(
  problem: Problem | undefined,
  field: Problem['field'],
  text: string,
  t: ReturnType<typeof useLook>['t'],
): string | undefined {
  if (problem?.field !== field || text === '') return undefined;
  return t(problem.word, problem.values);
}

function SideButtons({ draft, onSide }: { draft: Draft; onSide(side: Draft['side']): void }) {
  const { t } = useLook();
  return (
    <fieldset className="grid grid-cols-2 gap-1">
      <legend className="sr-only">{t('trade.side')}</legend>
      {(['buy', 'sell'] as const).map((side) => (
        <button
          key={side}
          type="button"
          aria-pressed={draft.side === side}
          onClick={() => onSide(side)}
          className={`h-8 rounded text-body font-semibold forced-colors:border ${
            draft.side !== side
              ? 'bg-raised text-quiet hover:text-text'
              : side === 'buy'
                ? 'bg-up text-on-fill'
                : 'bg-down text-on-fill'
          }`}
        >
          {t(`trade.${side}`)}
        </button>
      ))}
    </fieldset>
  );
}

function AmountFields({ about, draft, onDraft, reading }: FormProps & { reading: Reading }) {
  const { t } = useLook();
  const { market } = about;
  const isSize = draft.amountOf === 'size';
  const totalScale = scaleOf(market.increment_price) + scaleOf(market.increment_size);
  const error = shownError(reading.problem, 'amount', draft.amount, t);
  return (
    <>
      <DecimalField
        label={t('trade.size')}
        increment={market.increment_size}
        value={isSize ? draft.amount : reading.size === '0' ? '' : reading.size}
        onValue={(amount) => onDraft({ ...draft, amount, amountOf: 'size' })}
        after={market.pair_base.toUpperCase()}
        error={isSize ? error : undefined}
      />
      <DecimalField
        label={t(draft.kind === 'market' ? 'trade.totalAbout' : 'trade.total')}
        increment={`0.${'0'.repeat(Math.max(0, totalScale - 1))}1`}
        value={isSize ? (reading.total ?? '') : draft.amount}
        onValue={(amount) => onDraft({ ...draft, amount, amountOf: 'total' })}
        after={market.pair_2.toUpperCase()}
        error={isSize ? undefined : error}
      />
    </>
  );
}

function ShareSlider({ about, draft, onDraft, reading }: FormProps & { reading: Reading }) {
  const { number, preferences, t } = useLook();
  const { available, market } = about;
  const isBuy = draft.side === 'buy';
  const used = usedPercent(draft, reading, about);
  const owned = isBuy ? available?.quote : available?.base;
  const take = (percent: number) => onDraft(shareOfAvailable(draft, percent, about));
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between text-label text-quiet">
        <span>{t('trade.available')}</span>
        <span className="text-text">
          {owned === undefined ? (
            '–'
          ) : (
            <Amount
              value={owned}
              scale={isBuy ? about.scales.quote : about.scales.base}
              unit={isBuy ? market.pair_2 : market.pair_base}
              isHidden={preferences.hidesBalances}
            />
          )}
        </span>
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={used}
        disabled={owned === undefined}
        aria-label={t('trade.share')}
        aria-valuetext={`${used}%`}
        onChange={({ target }) => take(Number(target.value))}
        className="h-4 w-full accent-accent"
      />
      <div className="grid grid-cols-4 gap-1">
        {[25, 50, 75, 100].map((percent) => (
          <Button
            key={percent}
            size="small"
            disabled={owned === undefined}
            onClick={() => take(percent)}
          >
            <bdi dir="ltr">{number(String(percent))}%</bdi>
          </Button>
        ))}
      </div>
    </div>
  );
}

function Terms({ draft, onChange }: { draft: Draft; onChange(next: Partial<Draft>): void }) {
  const { t } = useLook();
  const isResting = hasPrice(draft.kind);
  const forces = isResting ? (['GTC', 'IOC', 'FOK'] as const) : (['IOC', 'FOK'] as const);
  const modes = ['cancel_newest', 'cancel_oldest', 'cancel_both', 'off'] as const;
  return (
    <div className="grid grid-cols-2 gap-2">
      <Select
        label={t('trade.timeInForce')}
        value={sentTimeInForce(draft)}
        onValue={(timeInForce) => onChange({ timeInForce })}
        choices={forces.map((value) => ({ value, label: t(`trade.force.${value}`) }))}
      />
      <Select
        label={t('trade.selfTrade')}
        value={draft.selfTrade}
        onValue={(selfTrade) => onChange({ selfTrade })}
        choices={modes.map((value) => ({ value, label: t(`trade.stp.${value}`) }))}
      />
      {mayExpire(draft) && (
        <Field
          type="datetime-local"
          label={t('trade.expiresAt')}
          value={draft.expiresAt}
          className="col-span-2"
          onChange={({ target }) => onChange({ expiresAt: target.value })}
        />
      )}
      {draft.kind === 'limit' && (
        <div className="col-span-2">
          <Checkbox
            label={t('trade.postOnly')}
            isOn={mayPostOnly(draft) && draft.isPostOnly}
            isDisabled={!mayPostOnly(draft)}
            onChange={(isPostOnly) => onChange({ isPostOnly })}
          />
        </div>
      )}
    </div>
  );
}

function Summary({
  about,
  draft,
  reading,
}: Pick<FormProps, 'draft' | 'about'> & { reading: Reading }) {
  const { percent, t } = useLook();
  const { estimate, fee } = reading;
  const { fees, market } = about;
  const hasFill = estimate?.average !== undefined;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 border-t border-line pt-2 text-label [&>dd]:text-end [&>dt]:text-quiet">
      <Line label={t('trade.estAverage')}>
        {hasFill ? <Amount value={estimate.average} unit={market.pair_2} /> : '–'}
      </Line>
      <Line label={t('trade.slippage')}>
        {estimate?.slippage === undefined ? (
          '–'
        ) : (
          <bdi dir="ltr">{percent(estimate.slippage, { scale: 3 })}</bdi>
        )}
      </Line>
      <Line label={t('trade.estFee')}>
        {fee === undefined ? '–' : <Amount value={fee.amount} unit={fee.coin} />}
      </Line>
      {fees !== undefined && (
        <Line label={t('trade.feeRates')}>
          <bdi dir="ltr">
            {fees.maker}% / {fees.taker}%
          </bdi>
        </Line>
      )}
      {fees?.discount !== undefined && fees.discount !== '0' && (
        <Line label={t('trade.discount')}>
          <bdi dir="ltr">{fees.discount}%</bdi>
        </Line>
      )}
      {draft.kind === 'market' && estimate !== undefined && !estimate.isComplete && (
        <p className="col-span-2 text-warn">{t('trade.thinBook')}</p>
      )}
    </dl>
  );
}

/** Everything that the order's label leaves out. */
function OrderTerms({ draft, market }: { draft: Draft; market: Circumstances['market'] }) {
  const { t } = useLook();
  const isPostOnly = mayPostOnly(draft) && draft.isPostOnly;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-body [&>dd]:text-end [&>dt]:text-quiet">
      <Line label={t('trade.orderType')}>{t(`trade.kind.${draft.kind}`)}</Line>
      {hasLinkedStop(draft) && (
        <Line label={t('trade.linkedStop')}>
          <Amount value={draft.linkedStop} unit={market.pair_2} />
        </Line>
      )}
      {hasStop(draft.kind) && (
        <Line label={t('trade.stopPrice')}>
          <Amount value={draft.stop} unit={market.pair_2} />
        </Line>
      )}
      <Line label={t('trade.price')}>
        {hasPrice(draft.kind) ? (
          <Amount value={draft.price} unit={market.pair_2} />
        ) : (
          t('trade.atMarket')
        )}
      </Line>
      <Line label={t('trade.timeInForce')}>{t(`trade.force.${sentTimeInForce(draft)}`)}</Line>
      {isPostOnly && <Line label={t('trade.postOnly')}>✓</Line>}
    </dl>
  );
}

function Line({ children, label }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function SendButton({
  about,
  acts,
  draft,
  isBlocked,
  onSent,
  reading,
  status,
}: Pick<FormProps, 'draft' | 'about'> & {
  reading: Reading;
  status: MarketStatus;
  acts: OrderActs;
  isBlocked: boolean;
  onSent: (() => void) | undefined;
}) {
  const look = useLook();
  const { preferences, t } = look;
  const { user } = useSession();
  const [asked, setAsked] = useState<{ draft: Draft; reading: Reading; words: string }>();
  const [isSending, setSending] = useState(false);
  const words = actWords(draft, reading, about.market, look);
  const send = async (confirmed: { draft: Draft; reading: Reading; words: string }) => {
    setAsked(undefined);
    setSending(true);
    const symbol = about.market.code;
    const clientOrderId = crypto.randomUUID();
    const order = orderOf(confirmed.draft, confirmed.reading, { symbol, clientOrderId });
    const named = { ...order, client_order_id: clientOrderId };
    const stop = linkedStopOf(confirmed.draft, confirmed.reading, {
      symbol,
      clientOrderId: crypto.randomUUID(),
    });
    const isDone = await acts.send(named, confirmed.words, stop);
    setSending(false);
    if (isDone) onSent?.();
  };
  if (user === null) {
    return (
      <Link
        to="/sign-in"
        className="flex min-h-10 items-center justify-center rounded bg-accent px-4 text-value font-semibold text-on-fill"
      >
        {t('trade.signInToTrade')}
      </Link>
    );
  }
  const confirmed = { draft, reading, words };
  const isOpen = isAccepted(draft, status);
  const isReady = reading.problem === undefined && !isBlocked && isOpen && user !== undefined;
  return (
    <>
      <Button
        type="submit"
        look={draft.side}
        size="large"
        data-send
        className="w-full"
        disabled={!isReady || isSending}
        isBusy={isSending}
        onClick={() => (preferences.confirms ? setAsked(confirmed) : void send(confirmed))}
      >
        {words}
      </Button>
      {isBlocked && <p className="text-label text-warn">{t('trade.blocked')}</p>}
      {!isOpen && (
        <p role="status" className="text-label text-warn">
          {t(`trade.stopped.${acceptedBy(status)}`, { status: t(`status.market_${status}`) })}
        </p>
      )}
      <Dialog
        title={t('trade.confirmTitle')}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
      >
        {asked !== undefined && (
          <div className="flex flex-col gap-4">
            <p className="text-title font-semibold">{asked.words}</p>
            <OrderTerms draft={asked.draft} market={about.market} />
            <Summary draft={asked.draft} about={about} reading={asked.reading} />
            <div className="flex justify-end gap-2">
              <Button onClick={() => setAsked(undefined)}>{t('shell.cancel')}</Button>
              <Button look={asked.draft.side} data-focus onClick={() => void send(asked)}>
                {t(`trade.${asked.draft.side}`)}
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </>
  );
}
