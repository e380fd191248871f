// Takes secrets out of what others may read: a server can answer with what it was sent. Pure.
import type { OpenedSender } from '../outgoing.ts';

const MASK = '•••';

/** Masks the sender's secret in each form that a transport sends it in. */
export function createRedactor(sender: Pick<OpenedSender, 'secret' | 'settings'>): (text: string) => string {
  const { secret } = sender;
  if (secret === '') return (text) => text;
  const forms = formsOf(secret, sender.settings);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

function formsOf(secret: string, settings: unknown): readonly string[] {
  const { username, url } = settings as { readonly username?: unknown; readonly url?: unknown };
  const bytes = Buffer.from(secret);
  const forms = [
    // As mail servers and web servers are given it beside a name.
    base64(`\u0000${textOf(username)}\u0000${secret}`),
    base64(`${nameInUrl(textOf(url))}:${secret}`),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('latin1'),
    bytes.toString('hex'),
    secret,
  ];
  // Longer forms first: some have the shorter ones in them.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function nameInUrl(url: string): string {
  return /^https?:\/\/([^/?#:@]*):[^/?#@]*@/i.exec(url)?.[1] ?? '';
}
