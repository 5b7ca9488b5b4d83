// Dialog that changes a market's price band and slippage cap. Its increments and limits are fixed in
// the engine.

import { useState } from 'react';
import type { BandIn, ListedPair } from '../../../client/index.ts';
import { compare, isDecimal } from '../../decimals/index.ts';
import { Facts } from '../../forms/index.ts';
import { Amount, DecimalField, marketName } from '../../ui/index.ts';
import type { Needed } from '../approvals/consent.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useLook } from '../use-words.ts';

const PERCENT_STEP = '0.0001';
const PERCENT_END = '100';

export function BandDialog({ onClose, pair }: { pair: ListedPair; onClose(): void }) {
  const { t } = useLook();
  const [band, setBand] = useState(pair.band);
  const [slippage, setSlippage] = useState(pair.slippage);
  const [reference, setReference] = useState('');
  const isValid = [band, slippage].every((one) => isDecimal(one) && compare(one, PERCENT_END) < 0);
  const change: BandIn = {
    code: pair.code,
    ...(isValid && compare(band, pair.band) !== 0 && { band }),
    ...(isValid && compare(slippage, pair.slippage) !== 0 && { slippage }),
    ...(reference !== '' && { reference_price: reference }),
  };
  const isChanged = Object.keys(change).length > 1;
  const quote = pair.pair_2;
  return (
    <ActDialog
      title={t('markets.editTitle', { name: marketName(pair.name) })}
      submit={t('control.save')}
      isDisabled={!isValid || !isChanged}
      {...(isValid && isChanged && { approvals: approvalsFor(pair, change) })}
      onClose={onClose}
      act={() => exchange.setBand(change)}
    >
      <DecimalField
        label={t('market.band')}
        hint={t('markets.bandHint')}
        increment={PERCENT_STEP}
        after="%"
        value={band}
        onValue={setBand}
      />
      <DecimalField
        label={t('market.slippage')}
        hint={t('markets.slippageHint')}
        increment={PERCENT_STEP}
        after="%"
        value={slippage}
        onValue={setSlippage}
      />
      <DecimalField
        label={t('markets.newReference')}
        hint={t('markets.newReferenceHint')}
        increment={pair.increment_price}
        after={quote.toUpperCase()}
        value={reference}
        onValue={setReference}
      />
      <Facts
        facts={(
          [
            ['incrementSize', pair.increment_size, pair.pair_base],
            ['incrementPrice', pair.increment_price, quote],
            ['minSize', pair.min_size, pair.pair_base],
            ['maxSize', pair.max_size, pair.pair_base],
            ['minPrice', pair.min_price, quote],
            ['maxPrice', pair.max_price, quote],
          ] as const
        ).map(([name, value, unit]) => ({
          label: t(`market.${name}`),
          value: <Amount value={value} unit={unit} />,
        }))}
      />
      <p className="text-label text-quiet">{t('markets.fixed')}</p>
    </ActDialog>
  );
}

/** Only a tighter band and cap need no approval. */
function approvalsFor(pair: ListedPair, change: BandIn): Needed {
  const isTighter = (before: string, after: number | string | undefined) =>
    after === undefined ||
    (compare(`${after}`, '0') > 0 &&
      (compare(before, '0') === 0 || compare(`${after}`, before) <= 0));
  const areTighter = isTighter(pair.band, change.band) && isTighter(pair.slippage, change.slippage);
  return areTighter && change.reference_price === undefined ? 0 : 1;
}
