// Takes secrets out of what others may read: a server can answer with what it was sent. Pure.
import type { OpenedSender } from '../outgoing.ts';
import { addressCredentials, headerCredentials } from './givenCredentials.ts';

const MASK = '•••';

/** Masks the sender's secret in each form that a transport sends it in, and what its address and headers may hold of others. */
export function createRedactor({
  secret,
  settings,
}: Pick<OpenedSender, 'secret' | 'settings'>): (text: string) => string {
  const { url, headers } = settings as { readonly url?: unknown; readonly headers?: unknown };
  return createMasking([
    ...(secret === '' ? [] : formsOf(secret, settings)),
    ...headerCredentials(headers),
    ...addressCredentials(textOf(url)),
  ]);
}

/** Of an address that is a credential itself, such as that of a browser at its push service. */
export function createAddressRedactor(url: string): (text: string) => string {
  return createMasking(addressCredentials(url));
}

function createMasking(hidden: readonly string[]): (text: string) => string {
  // Longer forms first: some have the shorter ones in them.
  const forms = [...new Set(hidden)].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

function formsOf(given: string, settings: unknown): readonly string[] {
  const { username, url } = settings as { readonly username?: unknown; readonly url?: unknown };
  // Half of a character is sent as the sign for what can't be read.
  const secret = given.replaceAll(/\p{Cs}/gu, '\ufffd');
  const bytes = Buffer.from(secret);
  return [
    // As mail servers and web servers are given it beside a name.
    base64(`\u0000${textOf(username)}\u0000${secret}`),
    base64(`${nameInUrl(textOf(url))}:${secret}`),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    // As XML has it in a body, and as a page of an error shows it.
    secret.replaceAll(MARKUP, (sign) => `&#${sign.charCodeAt(0)};`),
    secret.replaceAll(MARKUP, (sign) => ENTITIES[sign] ?? sign),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('latin1'),
    bytes.toString('hex'),
    secret,
    given,
  ];
}

const MARKUP = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function nameInUrl(url: string): string {
  return /^https?:\/\/([^/?#:@]*):[^/?#@]*@/i.exec(url)?.[1] ?? '';
}
