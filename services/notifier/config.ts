// Settings of a notifier, from the list in infra/settings.

import {
  type MailFrom,
  readServiceConfig,
  type ServiceConfig,
} from '../../infra/settings/index.ts';

export type NotifierConfig = ServiceConfig<'notifier'> & {
  /** Base URL for links in emails. */
  readonly linkUrl: string;
  readonly from: MailFrom;
};

const DEVELOPMENT_ADDRESS = 'no-reply@rialto.example';

export function notifierConfig(environment: NodeJS.ProcessEnv): NotifierConfig {
  const config = readServiceConfig('notifier', environment);
  const { apiName, mailFrom, publicUrl, webUrl } = config;
  return {
    ...config,
    linkUrl: webUrl ?? publicUrl,
    from: mailFrom ?? { name: apiName, address: DEVELOPMENT_ADDRESS },
  };
}
