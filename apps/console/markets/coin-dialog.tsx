// Dialog that opens and closes an asset and changes its fees, limits, cap and reference price.

import { useState } from 'react';
import type { ListedCoin } from '../../../client/index.ts';
import { Checkbox, DecimalField, Field } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useLook } from '../use-words.ts';
import { approvalsFor, type CoinEdit, coinChange, editOf, invalidFields } from './coin-change.ts';

export function CoinDialog({ coin, onClose }: { coin: ListedCoin; onClose(): void }) {
  const { t } = useLook();
  const [edit, setEdit] = useState(() => editOf(coin));
  const set = (change: Partial<CoinEdit>) => setEdit({ ...edit, ...change });
  const invalid = invalidFields(edit);
  const change = invalid.length === 0 ? coinChange(coin, edit) : undefined;
  const unit = coin.symbol.toUpperCase();
  const amount = (name: 'min' | 'max' | 'withdrawalFee' | 'issuanceCap') => (
    <DecimalField
      label={t(`market.${name}`)}
      increment={coin.increment_unit}
      after={unit}
      aria-invalid={invalid.includes(name) || undefined}
      value={edit[name]}
      onValue={(value) => set({ [name]: value })}
    />
  );
  return (
    <ActDialog
      title={t('markets.editTitle', { name: unit })}
      submit={t('control.save')}
      form="wide"
      isDisabled={change === undefined}
      {...(change !== undefined && { approvals: approvalsFor(coin, change) })}
      onClose={onClose}
      act={() => exchange.changeCoin(change ?? { code: coin.symbol })}
    >
      <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
        <legend className="sr-only">{t('markets.access')}</legend>
        <Checkbox
          label={t('markets.allowDeposit')}
          isOn={edit.allowDeposit}
          onChange={(allowDeposit) => set({ allowDeposit })}
        />
        <Checkbox
          label={t('markets.allowWithdrawal')}
          isOn={edit.allowWithdrawal}
          onChange={(allowWithdrawal) => set({ allowWithdrawal })}
        />
        <Checkbox
          label={t('markets.isPublic')}
          isOn={edit.isPublic}
          onChange={(isPublic) => set({ isPublic })}
        />
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label={t('market.fullname')}
          maxLength={100}
          value={edit.fullname}
          onChange={({ target }) => set({ fullname: target.value })}
        />
        <DecimalField
          label={t('market.estimatedPrice')}
          increment="0.000000000000000001"
          aria-invalid={invalid.includes('estimatedPrice') || undefined}
          value={edit.estimatedPrice}
          onValue={(estimatedPrice) => set({ estimatedPrice })}
        />
        {amount('min')}
        {amount('max')}
        {amount('withdrawalFee')}
        {amount('issuanceCap')}
        {Object.entries(edit.networkFees).map(([network, fee]) => (
          <DecimalField
            key={network}
            label={t('markets.networkFee', { network: network.toUpperCase() })}
            hint={t('markets.networkFeeHint')}
            increment={coin.increment_unit}
            after={unit}
            value={fee}
            onValue={(value) => set({ networkFees: { ...edit.networkFees, [network]: value } })}
          />
        ))}
      </div>
    </ActDialog>
  );
}
