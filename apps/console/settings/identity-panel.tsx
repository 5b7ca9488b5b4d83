// Name of the exchange and the links that its apps show, and the dialog that changes them.

import { useState } from 'react';
import type { Kit } from '../../../client/index.ts';
import { Facts } from '../../forms/index.ts';
import { Button, Field, Panel, READY } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { type Identity, identityKit, identityOf, invalidIdentity, LINKS } from './kit-view.ts';

export function IdentityPanel({ kit }: { kit: Kit }) {
  const { t } = useLook();
  const { may } = useOperator();
  const [isOpen, setOpen] = useState(false);
  const identity = identityOf(kit);
  return (
    <Panel
      title={t('settings.identity')}
      state={READY}
      after={
        may('changeKit') && (
          <Button size="small" onClick={() => setOpen(true)}>
            {t('people.change')}
          </Button>
        )
      }
      dialogs={isOpen && <IdentityDialog kit={kit} onClose={() => setOpen(false)} />}
    >
      <Facts
        facts={[
          { label: t('settings.title'), value: identity.title },
          { label: t('settings.description'), value: identity.description || '–' },
          ...LINKS.map((name) => ({
            label: t(`settings.link.${name}`),
            value: <bdi dir="ltr">{identity.links[name] || '–'}</bdi>,
          })),
        ]}
      />
    </Panel>
  );
}

export function IdentityDialog({ kit, onClose }: { kit: Kit; onClose(): void }) {
  const { t } = useLook();
  const [identity, setIdentity] = useState<Identity>(() => identityOf(kit));
  const invalid = invalidIdentity(identity);
  return (
    <ActDialog
      title={t('settings.identity')}
      submit={t('control.save')}
      approvals={0}
      isDisabled={invalid.length > 0}
      onClose={onClose}
      act={() => exchange.changeKit({ kit: identityKit(kit, identity) })}
    >
      <Field
        label={t('settings.title')}
        hint={t('settings.titleHint')}
        required
        maxLength={40}
        value={identity.title}
        onChange={({ target }) => setIdentity({ ...identity, title: target.value })}
      />
      <Field
        label={t('settings.description')}
        maxLength={500}
        value={identity.description}
        onChange={({ target }) => setIdentity({ ...identity, description: target.value })}
      />
      {LINKS.map((name) => (
        <Field
          key={name}
          label={t(`settings.link.${name}`)}
          dir="ltr"
          maxLength={500}
          placeholder="https://"
          error={invalid.includes(name) ? t('settings.linkInvalid') : undefined}
          value={identity.links[name]}
          onChange={({ target }) =>
            setIdentity({ ...identity, links: { ...identity.links, [name]: target.value.trim() } })
          }
        />
      ))}
    </ActDialog>
  );
}
