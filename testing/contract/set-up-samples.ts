// Valid requests for the setup routes: administrators, roles, the kit, announcements, emails.

import { randomUUID } from 'node:crypto';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { addSetupToken } from '../../features/exchange-config/first-administrator.ts';
import { writeAnnouncement } from '../../features/messages/announcements/announcements.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type FactorWorld, otpCode } from './factor-samples.ts';

interface SetUpSample {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

type MakeSample = (world: FactorWorld) => Promise<SetUpSample>;

const FIELD = { type: 'string', required: false, description: 'Where they work' };

export const setUpSamples = {
  // The sandbox has an administrator, so no server printed a token.
  signUpAdministrator: async ({ registry }) => {
    const token = randomUUID();
    await addSetupToken(registry, token);
    const email = `admin-${randomUUID()}@example.com`;
    return { body: { email, password: 'lanterns over the canal', token } };
  },
  // Cancels a notice.
  changeControlMode: async ({ registry }) => {
    await useTeam(registry);
    await registry.query(`update exchange_control set solo_from = now() + interval '2 days'`);
    return { body: { mode: 'team' } };
  },
  changeKeyGrant: async ({ registry }) => {
    const { rows } = await registry.query(
      `select id from api_keys where role = 'admin' and not revoked order by id limit 1`,
    );
    const key_id = Number(rows[0].id);
    return { body: { key_id, daily_limit: 1_000_000_000, may_read_personal: true } };
  },
  changeThresholds: async () => ({
    body: { one_approval_from: 1_000_000_000, two_approvals_from: 1_000_000_000 },
  }),
  createRole: async (world) => ({
    body: {
      name: `role-${randomUUID()}`,
      permissions: ['/admin/role:get'],
      configs: ['title'],
      otp_code: await otpCode(world, 'admin'),
    },
  }),
  changeRole: async (world) => ({
    body: {
      id: await newRole(world),
      description: 'Reads',
      otp_code: await otpCode(world, 'admin'),
    },
  }),
  removeRole: async (world) => ({
    body: { id: await newRole(world), otp_code: await otpCode(world, 'admin') },
  }),
  changeKit: async () => ({ body: { kit: { title: 'Rialto' } } }),
  createUserMeta: async () => ({ body: { name: `field-${randomUUID()}`, ...FIELD } }),
  changeUserMeta: async (world) => ({ body: { name: await newField(world), required: true } }),
  removeUserMeta: async (world) => ({ query: { name: await newField(world) } }),
  createAnnouncement: async () => ({ body: { title: 'Maintenance', message: '<p>Sunday</p>' } }),
  changeAnnouncement: async (world) => ({
    body: { id: await newAnnouncement(world), title: 'Later' },
  }),
  removeAnnouncement: async (world) => ({ body: { id: await newAnnouncement(world) } }),
  getMailText: async () => ({ query: { language: 'en', type: 'welcome' } }),
  changeMailText: async () => ({
    body: { type: 'welcome', language: 'en', title: 'Hello', html: '<p>You are in.</p>' },
  }),
  sendMail: async (world) => ({
    body: { user_id: world.userId('alice'), mail_type: 'welcome', data: {} },
  }),
  sendRawMail: async () => ({
    body: { receivers: ['someone@example.com'], title: 'News', html: '<p>Hello</p>' },
  }),
} as const satisfies Readonly<Record<string, MakeSample>>;

async function newRole({ registry }: FactorWorld): Promise<number> {
  const { rows } = await registry.query(
    `insert into roles (name, permissions) values ($1, '{}') returning id`,
    [`role-${randomUUID()}`],
  );
  return Number(rows[0].id);
}

async function newField({ registry }: FactorWorld): Promise<string> {
  const content = { user_meta: { employer: FIELD } };
  await registry.query(
    `insert into kit (content) values ($1)
     on conflict (is_only) do update set content = kit.content || $1`,
    [content],
  );
  return 'employer';
}

async function newAnnouncement({ registry }: FactorWorld): Promise<number> {
  const written = await writeAnnouncement(
    registry,
    {
      title: 'Maintenance',
      message: 'Sunday',
      type: 'default',
      startDate: null,
      endDate: null,
      isPopup: true,
      isNavbar: false,
      isDropdown: false,
    },
    null,
  );
  if (written instanceof Refused) throw new Error(`announcement refused: ${written.key}`);
  return written.id;
}
