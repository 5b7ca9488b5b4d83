// Wizard for a new asset or market: values, checks line by line, a preview, and the request.

import { type ReactNode, useState } from 'react';
import { DecimalField, Field, Select } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { ChangesTable } from '../parts/changes-table.tsx';
import { useLook } from '../use-words.ts';
import {
  areAllOk,
  bandOf,
  type CheckLine,
  type CoinDraft,
  checkCoin,
  checkPair,
  coinBody,
  firstUnlisted,
  type KnownCoin,
  type PairDraft,
  pairBody,
} from './listing-checks.ts';

const ANY_STEP = '0.000000000000000001';

const NEW_COIN: CoinDraft = {
  symbol: '',
  fullname: '',
  type: 'blockchain',
  network: '',
  decimals: '8',
  issuanceCap: '1000',
  estimatedPrice: '',
  min: '0.001',
  max: '1000',
  withdrawalFee: '0',
};

const NEW_PAIR: PairDraft = {
  base: '',
  quote: '',
  incrementSize: '0.0001',
  incrementPrice: '0.01',
  minSize: '0.0001',
  maxSize: '1000',
  minPrice: '0.02',
  maxPrice: '1000000',
  estimatedPrice: '',
  band: '10',
  slippage: '5',
  makerFee: '0.1',
  takerFee: '0.2',
};

const TYPES = ['blockchain', 'fiat', 'other'] as const;

export function CoinWizard({ known, onClose }: { known: readonly KnownCoin[]; onClose(): void }) {
  const { t } = useLook();
  const [draft, setDraft] = useState(NEW_COIN);
  const set = (change: Partial<CoinDraft>) => setDraft({ ...draft, ...change });
  const lines = checkCoin(draft, known);
  return (
    <ActDialog
      title={t('markets.newCoin')}
      submit={t('markets.request')}
      form="wide"
      approvals={1}
      isDisabled={!areAllOk(lines)}
      onClose={onClose}
      act={() => exchange.createCoin(coinBody(draft))}
    >
      <Step number={1} title={t('markets.stepCoin')}>
        <Text
          name="symbol"
          value={draft.symbol}
          onValue={(symbol) => set({ symbol: symbol.toLowerCase() })}
        />
        <Text name="fullname" value={draft.fullname} onValue={(fullname) => set({ fullname })} />
        <Select
          label={t('market.type')}
          choices={TYPES.map((value) => ({ value, label: t(`market.${value}`) }))}
          value={draft.type}
          onValue={(type) => set({ type })}
        />
        <Text name="network" value={draft.network} onValue={(network) => set({ network })} />
      </Step>
      <Step number={2} title={t('markets.stepBounds')}>
        <AmountOf
          name="decimals"
          value={draft.decimals}
          step="1"
          onValue={(decimals) => set({ decimals })}
        />
        <AmountOf
          name="issuanceCap"
          value={draft.issuanceCap}
          onValue={(issuanceCap) => set({ issuanceCap })}
        />
        <AmountOf
          name="estimatedPrice"
          value={draft.estimatedPrice}
          onValue={(estimatedPrice) => set({ estimatedPrice })}
        />
        <AmountOf name="min" value={draft.min} onValue={(min) => set({ min })} />
        <AmountOf name="max" value={draft.max} onValue={(max) => set({ max })} />
        <AmountOf
          name="withdrawalFee"
          value={draft.withdrawalFee}
          onValue={(withdrawalFee) => set({ withdrawalFee })}
        />
      </Step>
      <Checks number={3} lines={lines} />
      <Preview number={4} body={coinBody(draft)}>
        {t('markets.coinFixed')}
      </Preview>
    </ActDialog>
  );
}

export function PairWizard({
  known,
  listed,
  onClose,
}: {
  known: readonly KnownCoin[];
  /** Names of the listed markets. */
  listed: readonly string[];
  onClose(): void;
}) {
  const { number, t } = useLook();
  const symbols = known.map(({ symbol }) => symbol).sort();
  const [draft, setDraft] = useState<PairDraft>({
    ...NEW_PAIR,
    ...firstUnlisted(symbols, listed),
  });
  const set = (change: Partial<PairDraft>) => setDraft({ ...draft, ...change });
  const lines = checkPair(draft, known, listed);
  const band = bandOf(draft.estimatedPrice, draft.band);
  const coins = symbols.map((value) => ({ value, label: value.toUpperCase() }));
  const field = (name: Exclude<keyof PairDraft, 'base' | 'quote'>) => (
    <AmountOf
      key={name}
      name={name}
      value={draft[name]}
      onValue={(value) => set({ [name]: value })}
    />
  );
  return (
    <ActDialog
      title={t('markets.newPair')}
      submit={t('markets.request')}
      form="wide"
      approvals={1}
      isDisabled={!areAllOk(lines)}
      onClose={onClose}
      act={() => exchange.createPair(pairBody(draft))}
    >
      <Step number={1} title={t('markets.stepCoins')}>
        <Select
          label={t('market.base')}
          choices={coins}
          value={draft.base}
          onValue={(base) => set({ base })}
        />
        <Select
          label={t('market.quote')}
          choices={coins}
          value={draft.quote}
          onValue={(quote) => set({ quote })}
        />
      </Step>
      <Step number={2} title={t('markets.stepBounds')}>
        {(
          ['incrementSize', 'incrementPrice', 'minSize', 'maxSize', 'minPrice', 'maxPrice'] as const
        ).map(field)}
      </Step>
      <Step number={3} title={t('markets.stepPrice')}>
        {(['estimatedPrice', 'band', 'slippage'] as const).map(field)}
        {band !== undefined && (
          <p className="self-end text-label text-quiet">
            {t('markets.bandIs', { low: number(band.low, 2), high: number(band.high, 2) })}
          </p>
        )}
      </Step>
      <Step number={4} title={t('markets.stepFees')}>
        {(['makerFee', 'takerFee'] as const).map(field)}
      </Step>
      <Checks number={5} lines={lines} />
      <Preview number={6} body={pairBody(draft)}>
        {t('markets.pairFixed')}
      </Preview>
    </ActDialog>
  );
}

function Step({ children, number, title }: { number: number; title: string; children: ReactNode }) {
  return (
    <fieldset className="border-t border-line pt-2">
      <legend className="pe-2 text-body font-semibold">
        {number}. {title}
      </legend>
      <div className="grid grid-cols-2 gap-2 md:grid-cols-3">{children}</div>
    </fieldset>
  );
}

type FieldName = Exclude<keyof CoinDraft | keyof PairDraft, 'type' | 'base' | 'quote'>;

function Text({
  name,
  onValue,
  value,
}: {
  name: FieldName;
  value: string;
  onValue(value: string): void;
}) {
  const { t } = useLook();
  return (
    <Field
      label={t(`market.${name}`)}
      dir="ltr"
      maxLength={50}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  );
}

function AmountOf({
  name,
  onValue,
  step = ANY_STEP,
  value,
}: {
  name: FieldName;
  value: string;
  step?: string;
  onValue(value: string): void;
}) {
  const { t } = useLook();
  return (
    <DecimalField label={t(`market.${name}`)} increment={step} value={value} onValue={onValue} />
  );
}

function Checks({ lines, number }: { number: number; lines: readonly CheckLine[] }) {
  const { t } = useLook();
  return (
    <section aria-live="polite" className="border-t border-line pt-2">
      <h3 className="pb-1 text-body font-semibold">
        {number}. {t('markets.stepChecks')}
      </h3>
      <ul className="grid gap-x-4 text-body md:grid-cols-2">
        {lines.map(({ check, isOk, value }) => (
          <li key={check} className="flex gap-2 py-0.5">
            <span className={isOk ? 'text-up' : 'font-semibold text-down'}>
              {isOk ? '✓' : '✕'} {t(`check.${check}`)}
            </span>
            <bdi dir="ltr" className="min-w-0 truncate text-quiet">
              {value}
            </bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Preview({
  body,
  children,
  number,
}: {
  number: number;
  body: Readonly<Record<string, unknown>>;
  children: ReactNode;
}) {
  const { t } = useLook();
  return (
    <section className="border-t border-line pt-2">
      <h3 className="pb-1 text-body font-semibold">
        {number}. {t('markets.stepPreview')}
      </h3>
      <p className="pb-1 text-body text-warn">{children}</p>
      <ChangesTable after={body} isNewOnly label={t('markets.stepPreview')} />
    </section>
  );
}
