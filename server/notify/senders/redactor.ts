// Masks secrets in texts that others may read: a server can answer with what it was sent. Pure.
import type { OpenedSender } from '../outgoing.ts';
import { addressCredentials, headerCredentials } from './givenCredentials.ts';

const MASK = '•••';

/** Masks the sender's secret in each form in which a transport sends it, and possible other credentials in its address and headers. */
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

/** Masks the parts of an address that is a credential itself, such as that of a browser at its push service. */
export function createAddressRedactor(url: string): (text: string) => string {
  return createMasking(addressCredentials(url));
}

function createMasking(hidden: readonly string[]): (text: string) => string {
  // Longer forms first: some contain the shorter ones.
  const forms = [...new Set(hidden)].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

function formsOf(given: string, settings: unknown): readonly string[] {
  const { username, url } = settings as { readonly username?: unknown; readonly url?: unknown };
  // Half a character is sent as the replacement character.
  const secret = given.replaceAll(/\p{Cs}/gu, '\ufffd');
  const bytes = Buffer.from(secret);
  return [
    // The forms in which mail servers and web servers get it together with a name.
    base64(`\u0000${textOf(username)}\u0000${secret}`),
    base64(`${nameInUrl(textOf(url))}:${secret}`),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    // The forms in an XML body, and in an HTML error page.
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
