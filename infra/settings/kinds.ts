// Kinds of settings that only the table needs, with what production refuses of them.

import { isLoopback, port, Secret, type Setting } from '../process/index.ts';

export const PEM_FILE = { expected: 'the path of a PEM file' };

/** A port that production must know in advance: firewalls, proxies and supervisors name it. */
export function fixedPort(name: string): Setting<number> {
  return {
    ...port(name, 0),
    openDoor: (value) =>
      value === 0 ? 'is 0, a random port (expected a fixed port in production)' : undefined,
  };
}

/** The URL at which browsers reach something; the fallback is for development. */
export function webUrl(name: string, fallback: string): Setting<string> {
  return {
    ...plainUrl(name),
    fallback: { value: fallback },
    requiredInProduction: true,
  };
}

/** An http:// or https:// URL without a query; production wants TLS. */
export function plainUrl(name: string): Setting<string> {
  return {
    name,
    expected: 'an http:// or https:// URL',
    read(found) {
      const url = URL.parse(found);
      const isWeb = url !== null && /^https?:$/.test(url.protocol);
      const isPlain = isWeb && url.search === '' && url.hash === '' && url.username === '';
      return isPlain ? found : undefined;
    },
    openDoor: (value) =>
      value?.startsWith('http:') === true
        ? `is ${JSON.stringify(value)}, plain text (expected an https:// URL in production)`
        : undefined,
  };
}

/** Another server of this exchange, reached without TLS: production allows this machine only. */
export function serverUrl(name: string, protocol: 'http:' | 'ws:'): Setting<URL> {
  return {
    name,
    expected: `a ${protocol}// URL with host and port only`,
    read(found) {
      const url = URL.parse(found);
      const isSound = url?.protocol === protocol && url.pathname === '/' && url.search === '';
      return isSound ? url : undefined;
    },
    openDoor: (value) =>
      value !== undefined && !isLoopback(value.hostname)
        ? `leads to another machine (${value.hostname}): production sends nothing ` +
          'unencrypted between machines (expected this machine)'
        : undefined,
  };
}

/** The URL has the password of the mail server. */
export function smtpUrl(name: string): Setting<Secret> {
  return {
    name,
    expected: 'smtp://user:password@host:port or smtps://user:password@host:port',
    isSecret: true,
    read(found) {
      const url = URL.parse(found);
      const isSmtp = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
      const isPlain = isSmtp && /^\/?$/.test(url.pathname) && url.search === '';
      return isPlain ? new Secret(found) : undefined;
    },
  };
}

// One address, printable, without the characters that separate addresses or open a comment.
const MAIL_ADDRESS =
  /^(?!-)[^\s@<>(),:;"\\\p{Cc}\p{Cf}]{1,64}@[^\s@<>(),:;"\\\p{Cc}\p{Cf}]{1,255}$/u;

export function isMailAddress(text: string): boolean {
  return MAIL_ADDRESS.test(text);
}

export function mailAddress(name: string): Setting<string> {
  return {
    name,
    expected: 'an email address',
    read: (found) => (isMailAddress(found) ? found : undefined),
  };
}

export interface MailFrom {
  /** '' without one. */
  readonly name: string;
  readonly address: string;
}

export function mailSender(name: string): Setting<MailFrom> {
  return {
    name,
    expected: 'an address, such as Example Exchange <no-reply@exchange.example>',
    read(found) {
      const parts =
        /^(?:(?<name>[^<>"\p{Cc}]*[^<>"\p{Cc}\s])\s*<(?<inner>[^<>]+)>|(?<plain>[^<>]+))$/u;
      const { inner, name: display = '', plain } = parts.exec(found)?.groups ?? {};
      const address = inner ?? plain ?? '';
      return isMailAddress(address) ? { name: display, address } : undefined;
    },
  };
}

export function countries(name: string): Setting<readonly string[]> {
  return {
    name,
    expected: 'a comma-separated list of two-letter countries: DE,FR',
    fallback: { value: [] },
    read(found) {
      const codes = found.split(',').map((code) => code.trim().toUpperCase());
      return codes.every((code) => /^[A-Z]{2}$/.test(code)) ? codes : undefined;
    },
  };
}

/** Some words of a closed list, in the list's order; all of them by default. */
export function someOf<const Word extends string>(
  name: string,
  words: readonly Word[],
): Setting<readonly Word[]> {
  return {
    name,
    expected: `a comma-separated list of ${words.join(', ')}`,
    fallback: { value: words },
    read(found) {
      const named = found.split(',').map((item) => item.trim());
      const known = words.filter((word) => named.includes(word));
      return known.length === named.length ? known : undefined;
    },
  };
}
