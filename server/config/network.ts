// Where browsers reach the gateway, and whom it trusts on the way.
import { anyText, HOST_NAME, listOf, ORIGIN, oneOf, optional, PORT, textOf } from './valueParsers.ts';
import { type ValuesOf, variable } from './variable.ts';

const NETWORK = /^[\da-f:.]+(?:\/\d{1,3})?$|^loopback$|^linklocal$|^uniquelocal$/i;

export const networkVariables = {
  host: variable({
    name: 'HOST',
    preset: '0.0.0.0',
    parser: textOf('an address of this machine', HOST_NAME),
    about: 'Address to listen on, for browsers and terminals.',
  }),
  port: variable({
    name: 'PORT',
    preset: '8080',
    parser: PORT,
    about: 'Port for pages, API and streams. 0 takes any free port.',
  }),
  httpPort: variable({
    name: 'HTTP_PORT',
    preset: '',
    parser: optional(PORT),
    about: 'With TLS: port that redirects plain HTTP to HTTPS. Unset: none.',
  }),
  tls: variable({
    name: 'TLS',
    preset: 'off',
    parser: oneOf('off', 'self-signed'),
    about: 'self-signed creates a certificate at the first start and keeps it under DATA_DIR.',
  }),
  tlsCert: variable({
    name: 'TLS_CERT',
    preset: '',
    parser: optional(anyText('a path')),
    about: 'File with the certificate chain (PEM); needs TLS_KEY.',
  }),
  tlsKey: variable({
    name: 'TLS_KEY',
    preset: '',
    parser: optional(anyText('a path')),
    about: 'File with the private key (PEM); needs TLS_CERT.',
  }),
  trustedProxies: variable({
    name: 'TRUSTED_PROXIES',
    preset: '',
    parser: listOf('addresses or networks, such as 10.0.0.0/8, separated by commas', NETWORK),
    about:
      'Proxies whose X-Forwarded-* headers are trusted. Unset behind a proxy: all its clients count as one address.',
  }),
  frameAncestors: variable({
    name: 'FRAME_ANCESTORS',
    preset: '',
    parser: listOf('origins, such as https://portal.example, separated by commas', ORIGIN),
    about:
      'Sites that can frame the pages. Unset: any site can frame the three video pages, and no other site the rest.',
  }),
};

/** What is wrong with them together, in words. */
export function networkConflicts(config: ValuesOf<typeof networkVariables>): readonly string[] {
  const problems: string[] = [];
  const hasFiles = config.tlsCert !== undefined || config.tlsKey !== undefined;
  if (config.tlsCert === undefined && hasFiles) problems.push('TLS_KEY takes a path only together with TLS_CERT');
  if (config.tlsKey === undefined && hasFiles) problems.push('TLS_CERT takes a path only together with TLS_KEY');
  if (config.tls === 'self-signed' && hasFiles) problems.push('TLS takes off when TLS_CERT and TLS_KEY are set');
  if (config.httpPort !== undefined && config.tls === 'off' && !hasFiles) {
    problems.push('HTTP_PORT takes a port only with TLS=self-signed or TLS_CERT and TLS_KEY');
  }
  return problems;
}
