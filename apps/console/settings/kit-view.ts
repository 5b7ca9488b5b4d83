// The operator's settings in the kit: who can sign up, the name and links of the exchange, and the
// referral program.

import { isDecimal } from '../../decimals/index.ts';

export type SignUp = 'open' | 'invitation' | 'closed';

export function signUpOf(kit: {
  readonly new_user_is_activated: boolean;
  readonly invitation_only?: unknown;
}): SignUp {
  if (!kit.new_user_is_activated) return 'closed';
  return kit.invitation_only === true ? 'invitation' : 'open';
}

/** Keys of the kit for each choice. */
export const SIGN_UP_KIT: Readonly<Record<SignUp, Readonly<Record<string, boolean>>>> = {
  open: { new_user_is_activated: true, invitation_only: false },
  invitation: { new_user_is_activated: true, invitation_only: true },
  closed: { new_user_is_activated: false, invitation_only: false },
};

/** Links that the apps show, by their key in the kit. */
export const LINKS = ['support', 'terms', 'privacy', 'website'] as const;
export type LinkName = (typeof LINKS)[number];

export interface Identity {
  readonly title: string;
  readonly description: string;
  readonly links: Readonly<Record<LinkName, string>>;
}

interface KitOfIdentity {
  readonly title: string;
  readonly description: string;
  readonly links: unknown;
}

export function identityOf({ description, links, title }: KitOfIdentity): Identity {
  const known = (links ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof known[name] === 'string' ? known[name] : '');
  return {
    title,
    description,
    links: Object.fromEntries(LINKS.map((name) => [name, text(name)])) as Identity['links'],
  };
}

const TITLE_MAX = 40;

/** Fields that the console rejects: an empty title, and links that are not HTTPS or email. */
export function invalidIdentity({ links, title }: Identity): readonly (LinkName | 'title')[] {
  const isTitle = title.trim() !== '' && title.length <= TITLE_MAX;
  return [
    ...(isTitle ? [] : (['title'] as const)),
    ...LINKS.filter((name) => links[name] !== '' && !isLink(links[name])),
  ];
}

function isLink(text: string): boolean {
  return /^mailto:[^\s@]+@[^\s@]+$/.test(text) || (/^https:\/\//.test(text) && URL.canParse(text));
}

/** Keeps links that the form does not show; an empty link is removed. */
export function identityKit(kit: KitOfIdentity, identity: Identity) {
  const others = { ...(kit.links as Readonly<Record<string, unknown>>) };
  for (const name of LINKS) delete others[name];
  const given = Object.entries(identity.links).filter(([, link]) => link !== '');
  return {
    title: identity.title.trim(),
    api_name: identity.title.trim(),
    description: identity.description.trim(),
    links: { ...others, ...Object.fromEntries(given) },
  };
}

export interface Referral {
  readonly isOn: boolean;
  readonly currency: string;
  readonly rate: string;
  readonly minimum: string;
  readonly months: string;
  readonly distributor: string;
}

export function referralOf(config: unknown): Referral {
  const known = (config ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string, otherwise: string) =>
    known[name] === undefined ? otherwise : String(known[name]);
  return {
    isOn: known.active === true,
    currency: text('currency', 'usdt'),
    rate: text('earning_rate', '20'),
    minimum: text('minimum_amount', '1'),
    months: text('earning_period', '0'),
    distributor: text('distributor_id', ''),
  };
}

const RATE_MAX = 100;
const MONTHS_MAX = 1_200;

export function isReferralValid({ distributor, isOn, minimum, months, rate }: Referral): boolean {
  if (!isOn) return true;
  const isWhole = (text: string, max: number) => /^\d{1,4}$/.test(text) && Number(text) <= max;
  return (
    isWhole(rate, RATE_MAX) &&
    isWhole(months, MONTHS_MAX) &&
    isDecimal(minimum) &&
    /^[1-9]\d*$/.test(distributor)
  );
}
