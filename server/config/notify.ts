// Notifications: where their links lead, and what their senders may reach.
import { isIP } from 'node:net';
import { optional, textOf, type ValueParser } from './valueParsers.ts';
import { variable } from './variable.ts';

export const notifyVariables = {
  publicUrl: variable({
    name: 'PUBLIC_URL',
    preset: '',
    parser: optional(
      textOf(
        'a URL without a slash at its end, such as https://fleet.example',
        /^https?:\/\/[^\s/?#@]+(?:\/[^\s/?#]+)*$/i,
      ),
    ),
    about: 'URL at which members reach the pages, for the links in notifications. Unset: notifications have no links.',
  }),
  notifyNetworks: variable({
    name: 'NOTIFY_NETWORKS',
    preset: '',
    parser: networks(),
    about:
      'Private networks that senders of notifications can reach, such as that of your mail server. Unset: senders reach public addresses only.',
  }),
};

/** Addresses and networks in the notation of RFC 4632 and RFC 4291. */
function networks(): ValueParser<readonly string[]> {
  return {
    description: 'addresses or networks, such as 10.0.0.0/8, separated by commas',
    read: (text) => {
      const parts = text.split(/[\s,]+/).filter((part) => part !== '');
      return parts.every(isNetwork) ? { ok: true, value: parts } : { ok: false };
    },
  };
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}
